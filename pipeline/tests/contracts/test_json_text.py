"""JSON from outside is read, or refused with half a sentence that says why."""

import json
import re

import pytest

from eyelevel_core.contracts import parse_json


def test_json_is_read() -> None:
    value = {"a": [1, -2.5e3, True, None, "ä"], "b": {"c": 2**63 - 1, "d": -(2**63)}}
    assert parse_json(json.dumps(value)) == parse_json(json.dumps(value, ensure_ascii=False).encode()) == value


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[1" + "0" * 5000 + "]", "a number has 5001 characters, but at most 40 are read"),
        ("[0." + "1" * 5000 + "]", "a number has 5002 characters, but at most 40 are read"),
        ("9223372036854775808", "the number 9223372036854775808 takes more than 64 bits"),
        ("-1e999", "the number -1e999 is larger than any that can be stored"),
        ("NaN", "NaN is not a JSON value; write null for unknown"),
        ("[" * 200_000, "it is nested too deeply"),
        ("{", "Expecting property name enclosed in double quotes"),
        (b"\xff", "'utf-8' codec can't decode byte 0xff"),
    ],
    ids=lambda text: str(text)[:8],
)
def test_what_cannot_be_read_has_its_reason(text: str | bytes, reason: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(reason)}"):
        parse_json(text)
