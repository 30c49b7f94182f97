"""Suggests the known name that a person probably meant."""

from collections.abc import Iterable
from difflib import get_close_matches

from eyelevel_core.characters import foreign, plain

# characters; longer names are not compared, because that takes quadratic time
LONGEST = 100
# a short name with one letter wrong differs in a large part
SHORT = 3


def closest(name: str, known: Iterable[str]) -> str | None:
    """Returns the known name that looks the same, or nearly so; None if there is none."""
    if len(name) > LONGEST:
        return None
    names = {plain(text).casefold(): text for text in known}
    wanted = plain(name).casefold()
    near = (
        [wanted]
        if wanted in names
        else get_close_matches(wanted, names, n=1, cutoff=0.5 if len(wanted) <= SHORT else 0.6)
    )
    return names[near[0]] if near else None


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Returns the text to add to a sentence about an unknown name: characters outside ASCII, and a suggestion."""
    meant = closest(name, known)
    return foreign(name) + ("" if meant is None or meant == name else f" Did you mean {meant}?")


def these(nouns: str, names: Iterable[str], *, of: str = "", whose: str = "") -> str:
    """Lists known names: `the study's contexts are work, home`, or `the only network of the batch is DSL`."""
    names = list(names)
    owner, rest = whose or "the", f" {of}" if of else ""
    if len(names) == 1:
        return f"{owner} only {nouns.removesuffix('s')}{rest} is {names[0]}"
    return f"{owner} {nouns}{rest} are {', '.join(names) or 'unknown'}"
