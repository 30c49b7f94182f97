"""A part of a file can be read like a file."""

import io

from waitress.buffers import ReadOnlyFileBasedBuffer

from stimuli.file_part import FilePart


def test_it_has_its_own_beginning_and_end() -> None:
    file = io.BytesIO(b"0123456789")
    part = FilePart(file, start=2, length=5)
    assert (part.read(2), part.tell(), part.read(), part.read(1)) == (b"23", 2, b"456", b"")
    assert (part.seek(-1, io.SEEK_END), part.read(9)) == (4, b"6")
    assert (part.seek(1), part.seek(1, io.SEEK_CUR), part.read()) == (1, 2, b"456")
    part.close()
    assert file.closed


def test_the_web_server_takes_it_piece_by_piece() -> None:
    buffer = ReadOnlyFileBasedBuffer(FilePart(io.BytesIO(b"0123456789"), start=2, length=5))
    assert buffer.prepare(5) == 5
    taken = b""
    while piece := buffer.get(2):
        taken += piece
        buffer.skip(len(piece), True)
    assert taken == b"23456"
