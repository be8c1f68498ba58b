"""Private files and the one SQLite database of runs, journal and datasets."""

from ._database import Database
from ._private import private_dir, private_file
from ._process import is_alive, this_process

__all__ = ["Database", "is_alive", "private_dir", "private_file", "this_process"]
