"""The bounded loop and the bounded search: generators that decide, drivers that do. No I/O of their own."""

from ._bounded import Adapter, Attempt, Ending, LoopOutcome, Proposal, Source, Stage, Verdict, VerdictKind, bounded
from ._budget import Budget, Clock
from ._drivers import deterministic_first, run_bounded, run_bounded_sync, run_search, run_search_sync
from ._search import Found, Look, NotFound, Option, World, search

__all__ = [
    "Adapter",
    "Attempt",
    "Budget",
    "Clock",
    "Ending",
    "Found",
    "Look",
    "LoopOutcome",
    "NotFound",
    "Option",
    "Proposal",
    "Source",
    "Stage",
    "Verdict",
    "VerdictKind",
    "World",
    "bounded",
    "deterministic_first",
    "run_bounded",
    "run_bounded_sync",
    "run_search",
    "run_search_sync",
    "search",
]
