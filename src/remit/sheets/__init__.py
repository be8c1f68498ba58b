"""Spreadsheets: files whose text never becomes a formula, and rows added to files that stay otherwise as they are."""

from ._append import Appended, append_xlsx
from ._append_csv import append_csv
from ._csv import Dialect, write_csv
from ._errors import Loss, SheetError, WouldLoseError
from ._existing import Existing, existing_file
from ._files import Suffix, safe_file_name
from ._google import GoogleSheets
from ._headings import Binding, bind, check_fields
from ._reading import ColumnKind, Opened, opened_table
from ._receipt import CSV_NOTICE, Plain, PlainRow, WriteReceipt
from ._xlsx import write_xlsx

__all__ = [
    "CSV_NOTICE",
    "Appended",
    "Binding",
    "ColumnKind",
    "Dialect",
    "Existing",
    "GoogleSheets",
    "Loss",
    "Opened",
    "Plain",
    "PlainRow",
    "SheetError",
    "Suffix",
    "WouldLoseError",
    "WriteReceipt",
    "append_csv",
    "append_xlsx",
    "bind",
    "check_fields",
    "existing_file",
    "opened_table",
    "safe_file_name",
    "write_csv",
    "write_xlsx",
]
