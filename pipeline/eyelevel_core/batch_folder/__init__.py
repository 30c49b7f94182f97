"""The batch folder: the only code that knows its paths. Reads and checks its files, and writes them atomically."""

from eyelevel_core.batch_folder.folder import BatchFolder
from eyelevel_core.batch_folder.takes import FilmedTake, StoredTake

__all__ = ["BatchFolder", "FilmedTake", "StoredTake"]
