"""Spreadsheets: new XLSX and CSV files whose text never becomes a formula."""

from ._csv import Dialect, write_csv
from ._errors import SheetError
from ._files import Suffix, safe_file_name
from ._receipt import CSV_NOTICE, Plain, PlainRow, WriteReceipt
from ._xlsx import write_xlsx

__all__ = [
    "CSV_NOTICE",
    "Dialect",
    "Plain",
    "PlainRow",
    "SheetError",
    "Suffix",
    "WriteReceipt",
    "safe_file_name",
    "write_csv",
    "write_xlsx",
]
