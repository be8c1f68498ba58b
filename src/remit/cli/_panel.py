"""`remit panel`: open the panel in this desktop's browser."""

from __future__ import annotations

import webbrowser

import anyio
from rich.console import Console

from remit.contract import Registry, builtin_folder
from remit.panel import LivePanel, Pairings, Panel, live_panels
from remit.runs import Rooms, Runs
from remit.settings import Settings


def open_panel(*, show_only: bool) -> None:
    """Lead the person to a panel that runs, else serve one until it is interrupted."""
    anyio.run(_open, Settings(), show_only)


async def _open(settings: Settings, show_only: bool) -> None:
    async with Rooms(settings) as rooms:
        running = live_panels(rooms.database, settings.data_dir)
        if running:
            _lead(running, f"{running[0].url}/#{Pairings(rooms.database).token()}", show_only)
            return
        registry = Registry((builtin_folder(), *settings.manifest_dirs))
        async with Runs(rooms, find=registry.published.get) as runs, Panel(rooms, runs, registry) as panel:
            runs.door = panel
            address = await panel.way_in()
            _lead([], address, show_only)
            Console().print("No server of Remit runs now, so no run can wait here. Ctrl+C ends this panel.")
            await anyio.sleep_forever()


def _lead(running: list[LivePanel], address: str, show_only: bool) -> None:
    console = Console(soft_wrap=True)
    console.print(f"Open within 10 minutes, once: {address}", highlight=False)
    for other in running[1:]:
        console.print(f"Another server of Remit has its panel at {other.url}", highlight=False)
    if not show_only:
        webbrowser.open(address)
