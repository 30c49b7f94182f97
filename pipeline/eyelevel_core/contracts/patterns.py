"""Describes the patterns of the contracts in words, and suggests the text that an author probably meant."""

import re
import unicodedata
from typing import NamedTuple

from eyelevel_core.characters import plain

UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss"})
LOWER = "lower-case letters"


class Name(NamedTuple):
    """A text of certain characters; `first` is what it begins with, empty where any of them will do."""

    characters: str
    most: int
    first: str
    example: str

    @property
    def noun(self) -> str:
        """Such a text, as the end of `must be ...`."""
        begins = f" that begins with {self.first}" if self.first else ""
        return f"text of at most {self.most} characters ({self.characters}){begins}, such as {self.example}"

    @property
    def rule(self) -> str:
        """The same as the end of a sentence about a wrong text."""
        begins = f", must begin with {self.first}, and may have at most" if self.first else ", and at most"
        return f"may have only {self.characters}{begins} {self.most} characters"


NAME = "^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"
PATTERNS: dict[str, Name | str] = {
    NAME: Name("A-Z, a-z, digits and . _ + -", 64, "a letter or digit", "name-1"),
    "^[a-z][a-z0-9-]{0,31}$": Name(f"{LOWER}, digits and -", 32, "a letter", "free-time"),
    "^[a-z][a-z0-9_]{0,31}$": Name(f"{LOWER}, digits and _", 32, "a letter", "age_group"),
    "^[a-z][a-z0-9_-]{0,31}$": Name(f"{LOWER}, digits, _ and -", 32, "a letter", "paid-people"),
    "^[a-z0-9][a-z0-9_-]{0,31}$": Name(f"{LOWER}, digits, _ and -", 32, "a letter or digit", "18-29"),
    "^[A-Za-z][A-Za-z0-9_-]{0,31}$": Name("A-Z, a-z, digits, _ and -", 32, "a letter", "H1"),
    "^[A-Za-z][A-Za-z0-9_-]{0,63}$": Name("A-Z, a-z, digits, _ and -", 64, "a letter", "PROLIFIC_PID"),
    "^[A-Za-z0-9_-]{1,64}$": Name("A-Z, a-z, digits, _ and -", 64, "", "C1ABC2DE"),
    "^[0-9a-f]{64}$": "a SHA-256 digest: 64 digits and letters a-f",
    "^[0-9a-f]{32}$": "32 digits and letters a-f",
    "^[0-9a-f]{16}$": "16 digits and letters a-f",
    "^[A-Z]{3}$": "a currency of three capital letters, such as EUR",
    r"^https://\S+$": "a URL that begins with https:// and has no spaces",
    "^https?://": "a URL that begins with https:// or http://",
    "^https?:": "a URL that begins with https: or http:",
    "^/": "a path that begins with /",
    "^[#.]+$": "a row of # and .",
    "^(medoid|q[0-9]{2,3})$": "medoid, or a quantile such as q25",
    "^takes/[^/]+/[^/]+/[^/]+/(run|http|altsvc|tickets|all)-[0-9]{2,}$": "a run such as takes/SITE/LTE/QUIC/run-01",
}


def in_words(pattern: str) -> str:
    """Describes the texts that match a pattern, as the end of `must be ...`."""
    words = PATTERNS.get(pattern, "text of another form")
    return words if isinstance(words, str) else words.noun


def rule_of(pattern: str, text: str) -> str:
    """Describes the rule that a text breaks, as the end of `..., but ...`."""
    words = PATTERNS.get(pattern)
    if not isinstance(words, Name):
        return f"must be {in_words(pattern)}"
    # letters of other alphabets also have a lower case
    return words.rule if text.isascii() else words.rule.replace(LOWER, "a-z")


def look_alike(pattern: str, text: str) -> str | None:
    """Returns the text in ASCII, if that matches the pattern and differs from the text."""
    return plain(text) if plain(text) != text and re.search(pattern, plain(text)) else None


def such_as(pattern: str, text: str) -> str:
    """Returns the example at the end of a rule, as close to the text as possible; empty for other patterns."""
    words = PATTERNS.get(pattern)
    if not isinstance(words, Name):
        return ""
    letters = unicodedata.normalize("NFKD", plain(text).translate(UMLAUTS))
    letters = "".join(letter for letter in letters if not unicodedata.combining(letter))
    if LOWER in words.characters:
        letters = letters.lower()
    between = "-" if "-" in words.characters else "_"
    allowed = "a-zA-Z0-9" + "".join(re.escape(sign) for sign in "._+-" if sign in words.characters)
    near = re.sub(f"[^{allowed}]+", between, letters).strip(between)[: words.most].rstrip(between)
    return f", such as {near if near != text and re.search(pattern, near) else words.example}"
