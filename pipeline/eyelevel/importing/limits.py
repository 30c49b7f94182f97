"""Limits on files that are imported: a small file that unpacks to a huge one ends with a sentence.

All that is imported is held in memory, so the limits are about memory. A page has a few megabytes.
"""

from pathlib import Path
from typing import BinaryIO

from warcio.exceptions import ArchiveLoadFailed

from eyelevel.errors import BadInputError

MIB = 1 << 20
# the file or folder, as it lies on the disk
MOST_FILE_BYTES = 1024 * MIB
# all that it unpacks to
MOST_UNPACKED_BYTES = 1024 * MIB
# one body, record or list
MOST_ENTRY_BYTES = 256 * MIB
CURE = "import a file of one page"


class Budget:
    """Counts what a file unpacks to."""

    def __init__(self, source: str) -> None:
        self._source, self._left = source, MOST_UNPACKED_BYTES

    def take(self, unpacked_bytes: int) -> None:
        """Raise BadInputError once the file has unpacked to more than MOST_UNPACKED_BYTES."""
        self._left -= unpacked_bytes
        if self._left < 0:
            raise BadInputError(f"{self._source} unpacks to more than {MOST_UNPACKED_BYTES // MIB:,} MiB; {CURE}.")

    def check_entry(self, name: str, unpacked_bytes: int) -> None:
        """Raise BadInputError where one entry has more than MOST_ENTRY_BYTES."""
        if unpacked_bytes > MOST_ENTRY_BYTES:
            raise BadInputError(
                f"{self._source}: {name} has {unpacked_bytes / MIB:,.0f} MiB, above the {MOST_ENTRY_BYTES // MIB} MiB "
                f"that are imported; {CURE}."
            )


class Counted:
    """A reader that counts what is read from it."""

    def __init__(self, file: BinaryIO, budget: Budget) -> None:
        self._file, self._budget = file, budget

    def read(self, most_bytes: int) -> bytes:
        """Raise ArchiveLoadFailed where the file breaks off: warcio takes an EOFError for the file's end."""
        try:
            data = self._file.read(most_bytes)
        except EOFError as error:
            raise ArchiveLoadFailed(str(error)) from error
        self._budget.take(len(data))
        return data


def check_file(source: Path) -> None:
    """Raise BadInputError where the file has more than MOST_FILE_BYTES."""
    file_bytes = source.stat().st_size
    if file_bytes > MOST_FILE_BYTES:
        raise BadInputError(
            f"{source} has {file_bytes / MIB:,.0f} MiB, above the {MOST_FILE_BYTES // MIB:,} MiB that are imported; "
            f"{CURE}."
        )
