"""Differences between two versions of a study in fields that affect its data or its analysis."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

# fields of a study that do not affect votes, or that always differ between versions. Instructions are not among them,
# because they affect ratings, nor is pay, because it affects who takes part
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
    """Returns each field that differs between two resolved studies, sorted by name.

    The entries of a list are identified by their `key`, or else by their place.
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
    elif isinstance(value, list) and value and all(isinstance(entry, Mapping) for entry in value):
        for number, entry in enumerate(value):
            yield from _leaves(entry, f"{field}[{entry.get('key', number)}]")
    else:
        yield field, json.dumps(value, sort_keys=True, ensure_ascii=False)
