"""A dataset made of some records of another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, Literal

from remit.contract import Reason

from ._amounts import Amount, DecimalMark
from ._conditions import DATE_TYPES, NUMBER_TYPES, Answer, Condition, all_of, read_condition
from ._datasets import CHUNK, Datasets
from ._entries import DatasetInfo, Entry, Field, FieldTyping
from ._evidence import Reading, Suggestion
from ._intervals import DateOrder
from ._names import plain_name
from ._stored import DatasetError

Keep = Literal["matching", "others", "unclear"]

SURELY_CUT: Final = 24
"""Characters from which on a name may be the beginning of a longer one: results cut names behind that."""


@dataclass(frozen=True, slots=True)
class Filtering:
    """What to keep of a dataset: the records that meet all conditions, those that do not, or those that are neither.

    `where` has for each field what `read_condition` reads. `fields` are kept, in this order; None keeps all.
    `date_order` and `decimal_mark` are told where the columns that are compared do not say them.
    """

    where: Mapping[str, str] = field(default_factory=dict)
    keep: Keep = "matching"
    fields: tuple[str, ...] | None = None
    date_order: DateOrder | None = None
    decimal_mark: DecimalMark | None = None


@dataclass(slots=True)
class Filtered:
    """A new dataset, and every record of the old one in exactly one of the four counts.

    `undated` and `unread` say for which fields a record could not be judged; a record may count for several.
    `currencies` are those of the amounts that were compared as numbers.
    """

    dataset_id: str
    kept: int = 0
    matching: int = 0
    outside: int = 0
    straddling: int = 0
    unreadable: int = 0
    undated: Counter[str] = field(default_factory=Counter)
    unread: Counter[str] = field(default_factory=Counter)
    currencies: set[str | None] = field(default_factory=set)
    suggestion: Suggestion | None = None

    def receipt(self, source: DatasetInfo, keep: Keep) -> dict[str, str | int | bool | list[str] | None]:
        """The lines of the new dataset's receipt, which say also how complete the old one was."""
        return {
            "taken from": source.dataset_id,
            **({} if source.complete is None else {"complete": source.complete}),
            "records kept": f"{self.kept} ({keep})",
            "meet the filter": self.matching,
            "outside the filter": self.outside,
            "partly in the period": self.straddling,
            "could not be judged": self.unreadable,
            "without a readable date": [f"{name}: {count}" for name, count in self.undated.items()],
            "without a readable number": [f"{name}: {count}" for name, count in self.unread.items()],
        }


def filter_dataset(datasets: Datasets, dataset_id: str, run_id: str, asked: Filtering) -> Filtered:
    """Make a new dataset of some records of another, which stays as it is.

    The new one is read as was decided on all records of the old one: the few that stay might not say it.

    Raises:
        DatasetError: UNKNOWN_DATASET; UNKNOWN_FIELD or HEADINGS_AMBIGUOUS for a name no field has, or several;
            INVALID_ARGUMENTS, as `read_condition`.
    """
    info = datasets.info(dataset_id)
    conditions = [_condition(info.fields, name, text) for name, text in asked.where.items()]
    places = _places(info.fields, asked.fields)
    typings = _typings(datasets.readings(dataset_id), conditions, asked)
    readings, suggestions = datasets.decide(dataset_id, typings)
    names = [info.fields[at].name for at in places]
    told = Filtered(datasets.create(run_id, names))
    told.suggestion = next((suggestions[at] for at, each in conditions if _is_typed(each) and suggestions[at]), None)
    kept = (
        entry.only(places)
        for entry in datasets.entries(dataset_id)
        if _judge(entry, conditions, readings, told) == asked.keep
    )
    while chunk := list(islice(kept, CHUNK)):
        told.kept = datasets.append(told.dataset_id, chunk)
    datasets.read_as(told.dataset_id, [readings[at] for at in places], [suggestions[at] for at in places])
    datasets.finish(told.dataset_id, told.receipt(info, asked.keep))
    return told


def find_field(fields: Sequence[Field], name: str) -> int:
    """Where the field of this name is: exactly so, else ignoring case, else ignoring punctuation and accents, else by
    the beginning of a name too long to be told whole.

    Raises:
        DatasetError: UNKNOWN_FIELD; HEADINGS_AMBIGUOUS where several fit equally well.
    """
    for form in (str, lambda text: text.strip().casefold(), plain_name):
        found = [at for at, each in enumerate(fields) if form(each.name) == form(name) != ""]
        if len(found) > 1:
            raise DatasetError(Reason.HEADINGS_AMBIGUOUS)
        if found:
            return found[0]
    beginning = plain_name(name)
    begun = [at for at, each in enumerate(fields) if plain_name(each.name).startswith(beginning)]
    if len(beginning) < SURELY_CUT or not begun:
        raise DatasetError(Reason.UNKNOWN_FIELD)
    if len(begun) > 1:
        raise DatasetError(Reason.HEADINGS_AMBIGUOUS)
    return begun[0]


def _condition(fields: Sequence[Field], name: str, text: str) -> tuple[int, Condition]:
    at = find_field(fields, name)
    return at, read_condition(name, fields[at].type, text)


def _judge(
    entry: Entry, conditions: Sequence[tuple[int, Condition]], readings: Sequence[Reading], told: Filtered
) -> Keep:
    """Count a record, and say which of the three kinds it is of."""
    answers: list[tuple[Condition, Answer]] = []
    for at, condition in conditions:
        value = readings[at].value(entry.texts[at], entry.machine(at), entry.context_year)
        answers.append((condition, condition.answer(entry.texts[at], value)))
        if condition.is_numeric and isinstance(value, Amount):
            told.currencies.add(value.currency)
    whole = all_of(answer for _, answer in answers)
    if whole is Answer.YES:
        told.matching += 1
        return "matching"
    if whole is Answer.NO:
        told.outside += 1
        return "others"
    told.straddling += whole is Answer.STRADDLING
    told.unreadable += whole is Answer.UNREADABLE
    for condition in (condition for condition, answer in answers if answer is Answer.UNREADABLE):
        counts = told.undated if condition.period is not None else told.unread
        counts[condition.field] += 1
    return "unclear"


def _places(fields: Sequence[Field], names: Sequence[str] | None) -> list[int]:
    if names is None:
        return list(range(len(fields)))
    return list(dict.fromkeys(find_field(fields, name) for name in names))


def _typings(
    readings: Sequence[Reading], conditions: Sequence[tuple[int, Condition]], asked: Filtering
) -> list[FieldTyping | None]:
    """What is read anew: fields not yet of the type a condition needs, and those for which the call says more."""
    typings: list[FieldTyping | None] = [None] * len(readings)
    for at, condition in conditions:
        of_type, rules = readings[at].type, readings[at].rules
        if condition.period is not None and (of_type not in DATE_TYPES or asked.date_order):
            hint = of_type if of_type in DATE_TYPES else "date"
            typings[at] = FieldTyping(hint, asked.date_order or rules.order, rules.language, rules.context_year)
        elif condition.is_numeric and (of_type not in NUMBER_TYPES or asked.decimal_mark):
            typings[at] = FieldTyping("amount", decimal_mark=asked.decimal_mark)
    return typings


def _is_typed(condition: Condition) -> bool:
    return condition.is_numeric or condition.period is not None
