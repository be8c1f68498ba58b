"""A collection under way: where it began and what it holds, and the same as an earlier process left it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

from ._harvest import Harvest, Wanted

if TYPE_CHECKING:
    from remit.browser import Chosen
    from remit.records import Datasets


@dataclass(frozen=True, slots=True)
class Begun:
    """A list that is being read into a dataset. `first` is None where the site says that there is nothing."""

    harvest: Harvest
    dataset_id: str
    address: str
    first: Chosen | None
    goes_on: bool = False

    @property
    def is_read(self) -> bool:
        """The first branch was read whole already."""
        return False

    def notes(self, session_id: str, onward: str | None, *, ended: bool) -> dict[str, Any]:
        """What another process needs to go on.

        `onward` is the next page, where opening it repeats no click; `ended` that the first branch was read whole.
        """
        return {
            "session_id": session_id,
            "dataset_id": self.dataset_id,
            "address": self.address,
            "pages": self.harvest.counts.pages,
            "language": self.harvest.language,
            "onward": onward,
            "ended": ended,
        }


@dataclass(frozen=True, slots=True)
class Earlier(Begun):
    """What an earlier process left. All rows it had told of are in the dataset; nothing of them waits."""

    onward: str | None = None
    ended: bool = False

    @property
    def is_read(self) -> bool:
        """The first branch was read whole already."""
        return self.ended

    @property
    def next_page(self) -> str | None:
        """What is to be opened to go on: the next page, or the first again for what branches off it."""
        return self.address if self.ended else self.onward

    @classmethod
    def of(cls, notes: Mapping[str, Any], wanted: Wanted, datasets: Datasets) -> Self:
        """Read it from the notes and the dataset."""
        dataset_id = str(notes["dataset_id"])
        datasets.reopen(dataset_id)
        links = [entry.key or "" for entry in datasets.entries(dataset_id)]
        harvest = Harvest(wanted, datasets, dataset_id)
        harvest.restore(len(links), int(notes["pages"]), filter(None, links))
        harvest.language = str(notes["language"])
        address, onward, ended = str(notes["address"]), notes["onward"], bool(notes["ended"])
        return cls(harvest, dataset_id, address, None, goes_on=True, onward=onward, ended=ended)

    def begun(self, first: Chosen) -> Begun:
        """The list, found again on its next page."""
        return replace(self, first=first)
