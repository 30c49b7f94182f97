"""Byte ranges as RFC 9110 has them."""

import pytest

from stimuli.byte_ranges import UnsatisfiableError, byte_range


@pytest.mark.parametrize(
    ("header", "part"),
    [
        ("bytes=0-0", (0, 0)),
        ("bytes=2-5", (2, 5)),
        ("bytes=2-", (2, 9)),
        ("bytes=2-100", (2, 9)),
        ("bytes=-3", (7, 9)),
        ("bytes=-30", (0, 9)),
        # none of these is one range: the whole is right for all
        ("", None),
        ("bytes=-", None),
        ("bytes=5-2", None),
        ("bytes=0-1,4-5", None),
        ("pages=1-2", None),
        ("bytes=٢-٤", None),
    ],
)
def test_one_range_of_ten_bytes(header: str, part: tuple[int, int] | None) -> None:
    assert byte_range(header, 10) == part


@pytest.mark.parametrize("header", ["bytes=10-", "bytes=10-12", "bytes=-0", f"bytes=0-{'9' * 19}"])
def test_a_range_behind_the_end_cannot_be_satisfied(header: str) -> None:
    with pytest.raises(UnsatisfiableError):
        byte_range(header, 10)
