"""Names characters that people cannot see or tell apart, and finds the text that they look like."""

import unicodedata

# letters of other scripts, dashes and quotes that look like ASCII, and what they look like
_LOOK_ALIKES = str.maketrans(
    "АВЕЅІЈКМНОРСТУХаеѕіјкморстухԁһԛԝѵΑΒΕΖΗΙΚΜΝΟΡΤΥΧανορτυχι‐‑‒–—―−“”„‘’‚",
    "ABESIJKMHOPCTYXaesijkmopctyxdhqwvABEZHIKMNOPTYXavoptuxi-------\"\"\"'''",
)
# at most so many characters of a text are named
_NAMED = 3
# marks that only change how the character before them is drawn
_VARIATION = frozenset(map(chr, (*range(0x180B, 0x180E), 0x180F, *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
# beside format characters: grapheme joiner, Hangul fillers and Khmer vowels, which show nothing
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | _VARIATION


def is_invisible(letter: str) -> bool:
    """Whether a character shows nothing and is no space: zero-width characters, soft hyphens, direction marks."""
    return letter in _BLANK or unicodedata.category(letter) == "Cf"


def is_odd_space(letter: str) -> bool:
    """Whether a character looks like a space, or like nothing, and is no space to a program."""
    return not letter.isascii() and (letter.isspace() or is_invisible(letter))


def visible(text: str) -> str:
    """What a person sees: compatibility forms resolved, normalized, without invisible characters and outer space.

    Two texts with the same result look the same in most fonts.
    """
    if text.isascii():
        return text.strip()
    seen = "".join(letter for letter in unicodedata.normalize("NFKC", text) if not is_invisible(letter))
    return unicodedata.normalize("NFKC", seen).strip()


def tidy(text: str) -> str:
    """The text as it is written, without invisible characters and outer space, its accents composed."""
    if text.isascii():
        return text.strip()
    return unicodedata.normalize("NFC", "".join(letter for letter in text if not is_invisible(letter))).strip()


def plain(text: str) -> str:
    """The same in ASCII, as far as characters have a look-alike there."""
    return visible(text.translate(_LOOK_ALIKES)).translate(_LOOK_ALIKES)


def named(letter: str) -> str:
    """A character with its name in Unicode; one that shows nothing has an article."""
    code, name = f"U+{ord(letter):04X}", unicodedata.name(letter, "")
    if not is_odd_space(letter) and unicodedata.category(letter)[0] != "C":
        return f"{letter} ({name or 'without a name'}, {code})"
    article = "an" if name[:1] in tuple("AEIO") else "a"
    return f"{article} {name or 'character without a name'} ({code})"


def foreign(text: str) -> str:
    """A sentence that names the characters outside ASCII; empty if there are none."""
    found = list(dict.fromkeys(letter for letter in text if not letter.isascii()))
    if not found:
        return ""
    more = f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
    return f" It contains {', '.join(map(named, found[:_NAMED]))}{more}."


def looks_like_utf16(data: bytes) -> bool:
    """Whether bytes without a byte order mark are UTF-16 or UTF-32: signs of ASCII have a zero on one side."""
    even, odd = data[::2].count(0), data[1::2].count(0)
    return even + odd > 1 and (min(even, odd) == 0 or 2 * (even + odd) > len(data))
