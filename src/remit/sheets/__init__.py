"""Spreadsheets: files whose text never becomes a formula, and rows added to files that stay otherwise as they are."""

from ._append import Appended, append_xlsx
from ._csv import Dialect, write_csv
from ._errors import Loss, SheetError, WouldLoseError
from ._existing import Existing, existing_file
from ._files import Suffix, safe_file_name
from ._headings import Binding, bind
from ._receipt import CSV_NOTICE, Plain, PlainRow, WriteReceipt
from ._xlsx import write_xlsx

__all__ = [
    "CSV_NOTICE",
    "Appended",
    "Binding",
    "Dialect",
    "Existing",
    "Loss",
    "Plain",
    "PlainRow",
    "SheetError",
    "Suffix",
    "WouldLoseError",
    "WriteReceipt",
    "append_xlsx",
    "bind",
    "existing_file",
    "safe_file_name",
    "write_csv",
    "write_xlsx",
]
