"""Reads JSON; errors say what another file is, and where JSON is broken. Pure."""

import json
import re
from typing import Any

from eyelevel.errors import BadInputError

FORMATS = "neither a HAR (JSON), a WACZ (zip), a WARC nor a Mahimahi folder"
# messages of the decoder: data after the value, and a text that does not end
EXTRA, OPEN_TEXT = "Extra data", "Unterminated string"
# a truncated number or word
CUT_WORD = re.compile(r"-?[0-9.eE+-]*|t|tr|tru|f|fa|fal|fals|n|nu|nul")


def value_of(data: bytes, source: str) -> Any:
    """Returns the value; raises BadInputError, which gives the file, the place and the cure."""
    text = _text(data).strip()
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise BadInputError(f"{source} {_why(text, error)}.") from error
    except (ValueError, RecursionError) as error:
        why = "its JSON is nested too deeply, or has a number that is too long"
        raise BadInputError(f"{source} is {FORMATS}: {why}; give such a file.") from error


def _text(data: bytes) -> str:
    """Bytes that are not UTF-8 become surrogates, which a body turns back into these bytes."""
    encoding = json.detect_encoding(data)
    return data.decode("utf-8-sig" if encoding.startswith("utf-8") else encoding, "surrogateescape")


def _why(text: str, error: json.JSONDecodeError) -> str:
    place = f"line {error.lineno}, column {error.colno}"
    if not text:
        return "is empty; export it again"
    if not text.startswith(("{", "[")):
        what = "it is HTML or XML" if text.startswith("<") else "its beginning matches none of them"
        return f"is {FORMATS}: {what}; give such a file"
    if error.msg == EXTRA:
        return f"has data after its JSON, from {place} on; remove it"
    if error.msg.startswith(OPEN_TEXT) or CUT_WORD.fullmatch(text, error.pos):
        return f"ends early in {place}, so the HAR (JSON) is incomplete; export it again"
    return f"is not a HAR: its JSON is wrong in {place}; export it again"
