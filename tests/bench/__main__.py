"""`make bench`: every figure a ratio of two things measured side by side in this run. Seconds are of this machine."""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Callable, Coroutine

from rich.console import Console
from rich.table import Table

from ._figures import Figure
from .collecting import collecting_figures
from .job import job_figures
from .observing import observing_figures
from .serving import serving_figures
from .signing_in import signing_in_figures
from .writing import writing_figures

PARTS: dict[str, Callable[[], Coroutine[None, None, list[Figure]]]] = {
    "observing": observing_figures,
    "serving": serving_figures,
    "signing_in": signing_in_figures,
    "job": job_figures,
    "writing": writing_figures,
    "collecting": collecting_figures,
}


def main() -> None:
    """Measure the parts that are named, or all of them."""
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="|".join(PARTS), help="which parts; all when none is named")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    if unknown := set(given.parts) - set(PARTS):
        parser.error(f"no part is called {', '.join(sorted(unknown))}")
    figures = [figure for name in given.parts or PARTS for figure in asyncio.run(PARTS[name]())]
    if given.json:
        print(json.dumps([figure.as_dict() for figure in figures], indent=2))
        return
    show(figures)


def show(figures: list[Figure]) -> None:
    """Print the figures as a table."""
    table = Table(title="Measured side by side in one run", title_justify="left")
    for heading in ("what", "ours", "against", "ratio", "goal", ""):
        table.add_column(heading, justify="left" if heading in ("what", "against", "") else "right")
    for figure in figures:
        verdict = "" if figure.met is None else "[green]met[/green]" if figure.met else "[yellow]not met[/yellow]"
        table.add_row(figure.what, figure.ours, figure.against, figure.ratio_text, figure.goal, verdict)
    Console(width=130).print(table)


main()
