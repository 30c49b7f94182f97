"""Size limits on imported files, also on a small file that unpacks to a huge one.

Imported data is held in memory, so the limits are about memory. A page has a few megabytes.
"""

from pathlib import Path
from typing import BinaryIO

from warcio.exceptions import ArchiveLoadFailed

from eyelevel.errors import BadInputError

MIB = 1 << 20
# the file or folder on the disk
MOST_FILE_BYTES = 1024 * MIB
# the unpacked file
MOST_UNPACKED_BYTES = 1024 * MIB
# one body, record or list
MOST_ENTRY_BYTES = 256 * MIB
CURE = "import a file of one page"


class Budget:
    """A limit on the size that a file unpacks to."""

    def __init__(self, source: str) -> None:
        self._source, self._left = source, MOST_UNPACKED_BYTES

    def take(self, unpacked_bytes: int) -> None:
        """Counts unpacked bytes; raises BadInputError if the file has unpacked to more than MOST_UNPACKED_BYTES."""
        self._left -= unpacked_bytes
        if self._left < 0:
            raise BadInputError(f"{self._source} unpacks to more than {MOST_UNPACKED_BYTES // MIB:,} MiB; {CURE}.")

    def check_entry(self, name: str, unpacked_bytes: int) -> None:
        """Raises BadInputError if an entry has more than MOST_ENTRY_BYTES."""
        if unpacked_bytes > MOST_ENTRY_BYTES:
            raise BadInputError(
                f"{self._source}: {name} has {unpacked_bytes / MIB:,.0f} MiB, more than the limit of "
                f"{MOST_ENTRY_BYTES // MIB} MiB; {CURE}."
            )


class Counted:
    """A reader that counts the bytes read against the budget."""

    def __init__(self, file: BinaryIO, budget: Budget) -> None:
        self._file, self._budget = file, budget

    def read(self, most_bytes: int) -> bytes:
        """Reads; raises ArchiveLoadFailed if the file is truncated, as warcio treats EOFError as its normal end."""
        try:
            data = self._file.read(most_bytes)
        except EOFError as error:
            raise ArchiveLoadFailed(str(error)) from error
        self._budget.take(len(data))
        return data


def check_file(source: Path) -> None:
    """Raises BadInputError if the file has more than MOST_FILE_BYTES."""
    file_bytes = source.stat().st_size
    if file_bytes > MOST_FILE_BYTES:
        raise BadInputError(
            f"{source} has {file_bytes / MIB:,.0f} MiB, more than the limit of {MOST_FILE_BYTES // MIB:,} MiB; {CURE}."
        )
