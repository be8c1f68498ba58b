"""What was collected: typed dates and amounts, field names, filters and durable datasets."""

from ._amounts import Amount, DecimalMark
from ._columns import TypedColumn, plain_value, type_column
from ._datasets import DatasetError, Datasets
from ._dates import DateRules, read_date, read_machine_date
from ._entries import Cell, DatasetInfo, DatasetState, Entry, Field, FieldTyping, Flag, Receipt, Row
from ._evidence import ColumnType, Suggestion, Value
from ._intervals import DateInterval, DateOrder, Period, Place, Precision, Unresolved, Why, period
from ._names import Ambiguous, match_name, plain_name, type_of_name

__all__ = [
    "Ambiguous",
    "Amount",
    "Cell",
    "ColumnType",
    "DatasetError",
    "DatasetInfo",
    "DatasetState",
    "Datasets",
    "DateInterval",
    "DateOrder",
    "DateRules",
    "DecimalMark",
    "Entry",
    "Field",
    "FieldTyping",
    "Flag",
    "Period",
    "Place",
    "Precision",
    "Receipt",
    "Row",
    "Suggestion",
    "TypedColumn",
    "Unresolved",
    "Value",
    "Why",
    "match_name",
    "period",
    "plain_name",
    "plain_value",
    "read_date",
    "read_machine_date",
    "type_column",
    "type_of_name",
]
