"""Serve the portal on the loopback interface: `python -m tests.sites.portal --db PATH`.

The account comes from `--username` and `--password-file`, or from PORTAL_USERNAME and PORTAL_PASSWORD; a password is
never an argument, which every process of the machine could read.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import socket
import sys
import threading
from pathlib import Path

import uvicorn

from ._app import create_app
from ._data import DEFAULT_SEED
from ._store import Store


class _Announcing(uvicorn.Server):
    """Says on stdout, as one JSON line, when and where it answers."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        port = (sockets or [])[0].getsockname()[1]
        sys.stdout.write(json.dumps({"url": f"http://127.0.0.1:{port}/", "port": port}) + "\n")
        sys.stdout.flush()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="portal", allow_abbrev=False, description="A made-up portal, on loopback.")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--db", type=Path, required=True, help="the database; made and filled when it does not exist")
    parser.add_argument("--seed", type=int, default=DEFAULT_SEED, help="another seed, other invoices")
    parser.add_argument("--log", type=Path, help="a file for method, path and status of each request")
    parser.add_argument("--username", default=os.environ.get("PORTAL_USERNAME", ""), help="e-mail address")
    parser.add_argument("--password-file", type=Path, help="a file with the password in its first line")
    parser.add_argument("--with-parent", action="store_true", help="end when stdin is closed")
    return parser.parse_args()


def _password(file: Path | None) -> str:
    if file is None:
        return os.environ.get("PORTAL_PASSWORD", "")
    return file.read_text(encoding="utf-8").splitlines()[0]


def _log_to(file: Path | None) -> None:
    if file is not None:
        handler = logging.FileHandler(file, encoding="utf-8")
        logging.getLogger("uvicorn.access").addHandler(handler)
        logging.getLogger("uvicorn.access").setLevel(logging.INFO)


def _end_with_stdin(server: uvicorn.Server) -> None:
    while os.read(0, 4096):
        pass
    server.should_exit = True


def main() -> None:
    """Serve until a signal, or until stdin closes when asked to."""
    given = _arguments()
    store = Store(given.db, given.seed)
    password = _password(given.password_file)
    if given.username and password:
        store.add_account(given.username, password)
    _log_to(given.log)
    config = uvicorn.Config(
        create_app(store),
        log_config=None,
        access_log=given.log is not None,
        lifespan="off",
        ws="none",
        timeout_graceful_shutdown=1,
    )
    server = _Announcing(config)
    if given.with_parent:
        threading.Thread(target=_end_with_stdin, args=(server,), daemon=True).start()
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", given.port))
        server.run(sockets=[listener])
    store.close()


if __name__ == "__main__":
    main()
