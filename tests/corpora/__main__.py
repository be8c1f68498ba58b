"""`python -m tests.corpora`: precision, recall and F1 of the recognisers on saved pages, and the worst pages."""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import sys
from pathlib import Path
from typing import Protocol, cast, get_args

from tests.corpora._pages import DEFAULT_CORPORA, Kind, labelled_pages, observed_pages
from tests.corpora._tally import Tally

_SCORERS: dict[Kind, str] = {
    "forms": "tests.corpora._forms",
    "autofill": "tests.corpora._autofill",
    "pagers": "tests.corpora._pagers",
}


class _Scorer(Protocol):
    def score(self, pages: object) -> Tally: ...


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and end with 0; 0 too where the corpora are absent, saying so."""
    options = _parser().parse_args(arguments)
    if not (options.corpora / "index.json").exists():
        sys.stdout.write(f"no corpora in {options.corpora}: nothing measured\n")
        return 0
    kinds: list[Kind] = [options.kind] if options.kind else list(get_args(Kind))
    results = {kind: tally for kind in kinds if (tally := _measure(kind, options.corpora, options.limit)) is not None}
    if options.json:
        data = {kind: tally.as_data(options.worst) for kind, tally in results.items()}
        sys.stdout.write(json.dumps(data, indent=2) + "\n")
        return 0
    for kind, tally in results.items():
        sys.stdout.write(f"\n== {kind}\n{tally.as_text(options.worst)}\n")
    return 0


def _measure(kind: Kind, corpora: Path, limit: int | None) -> Tally | None:
    module = _SCORERS[kind]
    if importlib.util.find_spec(module) is None:
        return None
    scorer = cast("_Scorer", importlib.import_module(module))
    return scorer.score(observed_pages(labelled_pages(corpora, kind, limit)))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.corpora", description=__doc__)
    parser.add_argument("--corpora", type=Path, default=DEFAULT_CORPORA)
    parser.add_argument("--kind", choices=get_args(Kind))
    parser.add_argument("--limit", type=int, help="only the first N pages of a kind")
    parser.add_argument("--worst", type=int, default=25, help="how many of the worst pages to list")
    parser.add_argument("--json", action="store_true")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
