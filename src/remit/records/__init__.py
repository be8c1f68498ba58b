"""What was collected: typed dates and amounts, field names, filters and durable datasets."""

from ._amounts import Amount, DecimalMark
from ._columns import TypedColumn, plain_value, type_column
from ._conditions import Answer, Condition, read_condition
from ._coverage import Coverage, ListOrder, cover, order_of, uncovered
from ._datasets import Datasets
from ._dates import DateRules, read_date, read_machine_date, year_in
from ._entries import Cell, DatasetInfo, DatasetState, Entry, Field, FieldTyping, Flag, Receipt, Row
from ._evidence import ColumnType, Suggestion, Value
from ._filters import Filtered, Filtering, Keep, filter_dataset, find_field
from ._intervals import DateInterval, DateOrder, Period, Place, Precision, Unresolved, Why, period
from ._names import Ambiguous, match_name, plain_name, type_of_name
from ._shown import shown_text, written
from ._stored import DatasetError

__all__ = [
    "Ambiguous",
    "Amount",
    "Answer",
    "Cell",
    "ColumnType",
    "Condition",
    "Coverage",
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
    "Filtered",
    "Filtering",
    "Flag",
    "Keep",
    "ListOrder",
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
    "cover",
    "filter_dataset",
    "find_field",
    "match_name",
    "order_of",
    "period",
    "plain_name",
    "plain_value",
    "read_condition",
    "read_date",
    "read_machine_date",
    "shown_text",
    "type_column",
    "type_of_name",
    "uncovered",
    "written",
    "year_in",
]
