"""One call's life: state, progress, journal, hand-over, cancellation."""

from ._call import Call, Effect, EffectKind, Executor, Report, Settled
from ._journal import Journal, StoredRun
from ._rooms import Rooms
from ._runs import Runs

__all__ = [
    "Call",
    "Effect",
    "EffectKind",
    "Executor",
    "Journal",
    "Report",
    "Rooms",
    "Runs",
    "Settled",
    "StoredRun",
]
