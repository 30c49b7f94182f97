"""File object for a part of a file, which a web server sends without copying it (`wsgi.file_wrapper`)."""

import io
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer


class FilePart(io.RawIOBase):
    """`length` bytes of a file from `start` on; closes the file with itself."""

    def __init__(self, file: IO[bytes], *, start: int, length: int) -> None:
        self._file = file
        self._start = start
        self._length = length
        # position in the part, and position of the file: a web server gets and sets the position around each piece,
        # which needs no system call this way
        self._at = 0
        self._file_at: int | None = None

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        self._at = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._length}[whence] + offset
        return self._at

    def readinto(self, buffer: "WriteableBuffer") -> int:
        if self._file_at != self._at:
            self._file.seek(self._start + self._at)
        view = memoryview(buffer)
        data = self._file.read(min(len(view), max(self._length - self._at, 0)))
        view[: len(data)] = data
        self._at += len(data)
        self._file_at = self._at
        return len(data)

    def close(self) -> None:
        self._file.close()
        super().close()
