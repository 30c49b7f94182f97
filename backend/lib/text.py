"""Validated text input: rejects control characters and lone surrogates, which PostgreSQL or UTF-8 cannot store."""

import unicodedata
from typing import Annotated

from pydantic import AfterValidator
from pydantic_core import PydanticCustomError

# control characters (NUL among them) and lone surrogates, both of which JSON can spell
REJECTED = {"Cc", "Cs"}


def is_line(text: str) -> bool:
    """Whether the text is one line without control characters and lone surrogates."""
    return not any(unicodedata.category(letter) in REJECTED for letter in text)


def _line(text: str) -> str:
    if not is_line(text):
        raise PydanticCustomError("line", "it contains a control character or a lone surrogate")
    return text


def _secret(text: str) -> str:
    if any(unicodedata.category(letter) == "Cs" for letter in text):
        raise PydanticCustomError("secret", "it contains a lone surrogate")
    return text


# can be combined with other constraints of a field: Annotated[str, Field(max_length=9), ONE_LINE]
ONE_LINE = AfterValidator(_line)
Line = Annotated[str, ONE_LINE]
# a password or token, which is hashed and never stored, so any input is valid
Secret = Annotated[str, AfterValidator(_secret)]
