"""One call's life: state, progress, journal, hand-over, cancellation."""

from ._asking import Channel, Door, NoDoor, Parked, Shown
from ._authority import Leave, fingerprint
from ._call import Call, Effect, EffectKind, Executor, Report, Settled
from ._journal import Journal, StoredRun
from ._kept import KeptSession, note_place
from ._rooms import Rooms
from ._runs import Runs

__all__ = [
    "Call",
    "Channel",
    "Door",
    "Effect",
    "EffectKind",
    "Executor",
    "Journal",
    "KeptSession",
    "Leave",
    "NoDoor",
    "Parked",
    "Report",
    "Rooms",
    "Runs",
    "Settled",
    "Shown",
    "StoredRun",
    "fingerprint",
    "note_place",
]
