"""Private files and the one SQLite database of runs, journal and datasets."""

from ._database import Database
from ._private import private_dir, private_file

__all__ = ["Database", "private_dir", "private_file"]
