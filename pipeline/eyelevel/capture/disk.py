"""A full disk, told as one sentence wherever in a campaign it is met."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from eyelevel.disk import is_full
from eyelevel.errors import NoRoomError


@contextmanager
def room_on_disk(batch: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if not is_full(error):
            raise
        raise NoRoomError(
            f"The disk of {batch} is full; takes that are there stay. Make room and start the same command again."
        ) from error
