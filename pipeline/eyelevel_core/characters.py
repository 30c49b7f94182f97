"""Names characters that people cannot see or distinguish, and finds the text that they look like."""

import unicodedata

# letters of other scripts, dashes and quotes that look like ASCII, and what they look like
_LOOK_ALIKES = str.maketrans(
    "АВЕЅІЈКМНОРСТУХаеѕіјкморстухԁһԛԝѵΑΒΕΖΗΙΚΜΝΟΡΤΥΧανορτυχι‐‑‒–—―−“”„‘’‚",
    "ABESIJKMHOPCTYXaesijkmopctyxdhqwvABEZHIKMNOPTYXavoptuxi-------\"\"\"'''",
)
# Unicode has no names for these
_UNNAMED = {"\t": "tab", "\n": "line break", "\r": "line break", "\x85": "line break"}
# largest number of characters of a text that are named
_NAMED = 3
# marks that only change how the character before them is drawn
_VARIATION = frozenset(map(chr, (*range(0x180B, 0x180E), 0x180F, *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
# show nothing, or as much as a space
_BREAKS = frozenset("\t\n\v\f\r")
# beside format characters: grapheme joiner, Hangul fillers and Khmer vowels, which show nothing
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | _VARIATION


def is_invisible(letter: str) -> bool:
    """Whether a character is invisible and not a space: zero-width and control characters, soft hyphens, marks."""
    return letter in _BLANK or (unicodedata.category(letter) in ("Cf", "Cc", "Zl", "Zp") and letter not in _BREAKS)


def is_odd_space(letter: str) -> bool:
    """Whether a character is invisible or looks like a space, but is not a space to programs."""
    return not letter.isascii() and (letter.isspace() or is_invisible(letter))


def visible(text: str) -> str:
    """Returns the visible text: compatibility forms resolved, normalized, without invisible characters and outer space.

    A line break, a tab and a run of spaces count as one space. Two texts with the same result look the same in most
    fonts.
    """
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    seen = "".join(letter for letter in unicodedata.normalize("NFKC", text) if not is_invisible(letter))
    return " ".join(unicodedata.normalize("NFKC", seen).split())


def tidy(text: str) -> str:
    """Returns the text without invisible characters and outer space, with composed accents."""
    if text.isascii() and text.isprintable():
        return text.strip()
    return unicodedata.normalize("NFC", "".join(letter for letter in text if not is_invisible(letter))).strip()


def plain(text: str) -> str:
    """Returns the same, with ASCII look-alikes in place of other characters."""
    return visible(text.translate(_LOOK_ALIKES)).translate(_LOOK_ALIKES)


def named(letter: str) -> str:
    """Returns a character with its Unicode name, or, for an invisible one, its name with an article."""
    code, name = f"U+{ord(letter):04X}", unicodedata.name(letter, "") or _UNNAMED.get(letter, "")
    if not is_odd_space(letter) and unicodedata.category(letter)[0] != "C":
        return f"{letter} ({name or 'without a name'}, {code})"
    article = "an" if name[:1] in tuple("AEIO") else "a"
    return f"{article} {name or 'control character'} ({code})"


def outside_ascii(text: str) -> str:
    """Names the characters of a text outside ASCII; empty if there are none."""
    letters = list(dict.fromkeys(letter for letter in text if not letter.isascii()))
    more = f" and {len(letters) - _NAMED} more" if len(letters) > _NAMED else ""
    return f"{', '.join(map(named, letters[:_NAMED]))}{more}"


def foreign(text: str) -> str:
    """Returns a sentence that names the characters outside ASCII; empty if there are none."""
    return "" if text.isascii() else f" It contains {outside_ascii(text)}."


def difference(*spellings: str) -> str:
    """Names the characters by which texts that look the same differ, in brackets after a space; empty for accents."""
    letters = dict.fromkeys(letter for text in spellings for letter in text if not " " <= letter <= "~")
    odd = [letter for letter in letters if is_invisible(letter) or visible(letter) != letter]
    if odd:
        return f" ({', '.join(named(letter) for letter in odd[:2])})"
    if len({text.strip() for text in spellings}) == 1:
        return " (with a space around it)"
    return " (with several spaces)" if any("  " in text for text in spellings) else ""


def look_alikes(*texts: str) -> str:
    """Names the characters by which texts with the same ASCII look-alike differ, in brackets after a space."""
    shared = set.intersection(*map(set, texts))
    letters = [letter for letter in dict.fromkeys("".join(texts)) if letter not in shared and not letter.isascii()]
    return f" ({', '.join(map(named, letters[:2]))})" if letters else " (spaces)"


def looks_like_utf16(data: bytes) -> bool:
    """Whether bytes without a byte order mark are UTF-16 or UTF-32: signs of ASCII have a zero on one side."""
    even, odd = data[::2].count(0), data[1::2].count(0)
    return even + odd > 1 and (min(even, odd) == 0 or 2 * (even + odd) > len(data))
