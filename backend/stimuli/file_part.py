"""A part of a file that is a file itself, so that a web server sends it without copying it (`wsgi.file_wrapper`)."""

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
        self.seek(0)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._file.tell() - self._start

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self.tell(), io.SEEK_END: self._length}[whence]
        self._file.seek(self._start + base + offset)
        return self.tell()

    def readinto(self, buffer: "WriteableBuffer") -> int:
        view = memoryview(buffer)
        data = self._file.read(min(len(view), max(self._length - self.tell(), 0)))
        view[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._file.close()
        super().close()
