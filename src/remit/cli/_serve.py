"""`remit serve`."""

from __future__ import annotations

import logging
import os
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager

import anyio
from pydantic import ValidationError
from pydantic_settings import SettingsError

from remit.contract import Secret, describe
from remit.settings import Settings


@contextmanager
def told_plainly() -> Iterator[None]:
    """Logs go to stderr; a broken configuration ends the command with one clear line."""
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="remit: %(name)s: %(message)s")
    try:
        yield
    except ValidationError as error:
        sys.exit(f"remit: the configuration is wrong: {describe(error)}")
    except SettingsError:
        sys.exit("remit: the configuration is wrong: a REMIT_ variable is not of its type (lists are JSON)")
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        sys.exit("remit: the configuration is wrong: config.toml is not TOML")


def serve() -> None:
    """Serve one client over stdio."""
    from remit.server import serve_stdio

    with told_plainly():
        anyio.run(serve_stdio, Settings())


def serve_over_http(host: str, port: int, allowed_hosts: tuple[str, ...]) -> None:
    """Serve over HTTP, with the token of REMIT_HTTP_TOKEN if there is one."""
    from remit.server import serve_http

    token = os.environ.get("REMIT_HTTP_TOKEN")
    secret = Secret(token) if token else None
    try:
        serve_http(Settings(), host=host, port=port, allowed_hosts=allowed_hosts, token=secret)
    except ValidationError:
        raise
    except ValueError as error:
        sys.exit(f"remit: {error}")
