"""The differences between two versions of a study, in what decides about data and analysis."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

# fields of a study that decide nothing about votes: a new version always has another one, or it is about something
# else. Instructions are not among them, since people judge by them, nor is pay, by which they decide to take part
ASIDE = {
    "contract", "name", "parent", "seed", "languages", "title", "contact", "consent", "ethics", "retention",
    "debriefing",
}  # fmt: skip


@dataclass(frozen=True)
class Change:
    """A field with its two values as JSON text; None where a version has no such field."""

    field: str
    before: str | None
    after: str | None


def changes(before: Mapping[str, object], after: Mapping[str, object]) -> tuple[Change, ...]:
    """Each field that differs between two resolved studies, sorted by name.

    The entries of a list are told apart by their `key`, where they have one, else by their place.
    """
    old, new = (
        dict(_leaves({name: part for name, part in study.items() if name not in ASIDE})) for study in (before, after)
    )
    return tuple(
        Change(field, old.get(field), new.get(field))
        for field in sorted({*old, *new})
        if old.get(field) != new.get(field)
    )


def _leaves(value: Any, field: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping) and value:
        for name, part in value.items():
            yield from _leaves(part, f"{field}.{name}" if field else name)
    elif isinstance(value, list) and value and all(isinstance(one, Mapping) for one in value):
        for number, one in enumerate(value):
            yield from _leaves(one, f"{field}[{one.get('key', number)}]")
    else:
        yield field, json.dumps(value, sort_keys=True, ensure_ascii=False)
