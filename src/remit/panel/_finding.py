"""Which panels of a data directory run, and whether what answers on a port is one of them."""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from remit.state import Database, is_alive, private_file, this_process

_TABLE = "CREATE TABLE IF NOT EXISTS panels (process TEXT PRIMARY KEY, port INTEGER NOT NULL, began REAL NOT NULL)"
_ANSWER_S = 2.0
_KEPT = 20
KEY_FILE = "panel.key"


@dataclass(frozen=True, slots=True)
class LivePanel:
    """A panel that runs."""

    process: str
    port: int

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}"


def note_panel(database: Database, port: int, now: float) -> None:
    """Write where this process's panel is."""
    database.ensure(_TABLE)
    database.execute("INSERT OR REPLACE INTO panels VALUES (?, ?, ?)", (this_process(), port, now))
    database.execute(
        "DELETE FROM panels WHERE process NOT IN (SELECT process FROM panels ORDER BY began DESC LIMIT ?)", (_KEPT,)
    )


def last_port(database: Database) -> int:
    """Where the latest panel was; 0 where there was none. The same port keeps a browser's pairing."""
    database.ensure(_TABLE)
    row = database.one("SELECT port FROM panels ORDER BY began DESC LIMIT 1")
    return int(row["port"]) if row else 0


def instance_key(folder: Path) -> bytes:
    """What a panel proves with that it is of this data directory."""
    path = folder / KEY_FILE
    if not path.exists():
        private_file(path, secrets.token_bytes(32))
    return path.read_bytes()


def proof(key: bytes, nonce: str, port: int) -> str:
    """The answer to a nonce, good for one port."""
    return hmac.digest(key, f"{port}\n{nonce}".encode(), sha256).hex()


def live_panels(database: Database, folder: Path) -> list[LivePanel]:
    """The panels of this data directory that run and prove it, the newest first.

    A process that is gone may have left its port to anybody: whoever cannot answer is told nothing.
    """
    database.ensure(_TABLE)
    found = [LivePanel(row["process"], row["port"]) for row in database.all("SELECT * FROM panels ORDER BY began DESC")]
    return [panel for panel in found if is_alive(panel.process) and _proves(panel, folder)]


def _proves(panel: LivePanel, folder: Path) -> bool:
    import httpx

    nonce = secrets.token_hex(16)
    try:
        answer = httpx.get(f"{panel.url}/hello", params={"nonce": nonce}, timeout=_ANSWER_S, trust_env=False)
    except httpx.HTTPError:
        return False
    expected = proof(instance_key(folder), nonce, panel.port)
    return answer.status_code == 200 and hmac.compare_digest(answer.text.encode(), expected.encode())
