"""Text that comes from outside, as PostgreSQL can keep it: it takes no NUL, and no encoding takes half a character."""

import unicodedata
from typing import Annotated

from pydantic import AfterValidator
from pydantic_core import PydanticCustomError

# control characters, NUL among them, and halves of surrogate pairs, which JSON can write down
REFUSED = {"Cc", "Cs"}


def is_line(text: str) -> bool:
    """Whether it is one line of text, of whole characters that are all to be seen."""
    return not any(unicodedata.category(letter) in REFUSED for letter in text)


def _line(text: str) -> str:
    if not is_line(text):
        raise PydanticCustomError("line", "it has a control character or half a character")
    return text


def _secret(text: str) -> str:
    if any(unicodedata.category(letter) == "Cs" for letter in text):
        raise PydanticCustomError("secret", "it has half a character")
    return text


# beside further limits of a field: Annotated[str, Field(max_length=9), ONE_LINE]
ONE_LINE = AfterValidator(_line)
Line = Annotated[str, ONE_LINE]
# what is hashed and never stored: whatever can be typed
Secret = Annotated[str, AfterValidator(_secret)]
