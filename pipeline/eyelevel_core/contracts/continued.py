"""Finds unquoted texts that a comma divided: in braces, YAML reads what follows the comma as the name of a field."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from eyelevel_core.contracts.written import field, quoted

Fields = Mapping[str, object]


class Continued(NamedTuple):
    """The field, the first of the names into which the rest of its text was divided, and a sentence about it."""

    field: str
    first: str
    says: str


def continued(group: Fields, name: str, known: Sequence[str], forms: Fields | None) -> Continued | None:
    """Returns the divided text, if this field of a group continues the text of a `known` field before it.

    `forms` has the schemas of the known fields; None if all are texts.
    """
    names = list(group)
    place = names.index(name)
    first, last = place, place + 1
    while first and names[first - 1] not in known and group[names[first - 1]] is None:
        first -= 1
    while last < len(names) and names[last] not in known and group[names[last]] is None:
        last += 1
    known_name, rest = names[first - 1] if first else "", names[first:last]
    value = group.get(known_name)
    if known_name not in known or not isinstance(value, str | int | float) or isinstance(value, bool):
        return None
    form = None if forms is None else forms[known_name]
    kind = "text" if forms is None else form.get("type") if isinstance(form, Mapping) else None
    if isinstance(value, int | float) and rest == [name] and name.isdecimal() and group[name] is None:
        cure = (
            f"a whole number: {known_name}: {value}"
            if kind == "integer"
            else f"a decimal point: {known_name}: {value}.{name}"
        )
        return Continued(known_name, name, f"{_ends(value, 'number', name)}; write {cure}.")
    if not _is_text(group, name, rest, kind):
        return None
    parts = [str(value), *(part if group[part] is None else f"{part}: {group[part]}" for part in rest)]
    if kind == "array":
        return Continued(
            known_name, rest[0], f"{_ends(value, 'value', rest[0])}; write a list: {known_name}: [{', '.join(parts)}]."
        )
    whole = field(known_name, quoted(", ".join(parts)), alone=len(names) == len(rest) + 1)
    return Continued(known_name, rest[0], f"{_ends(value, 'text', rest[0])}; put the whole text in quotes: {whole}.")


def _ends(value: str | float, what: str, name: str) -> str:
    shown = quoted(value) if isinstance(value, str) else value
    return f'the comma after {shown} ends the {what}, so "{name}" is read as a field'


def _is_text(group: Fields, name: str, rest: Sequence[str], kind: object) -> bool:
    """Whether names of fields are part of a text or list, and not just mistyped or left without a value."""
    spaced = any(" " in part for part in rest)
    if group[name] is not None:
        return " " in name
    # the name of a language has two letters
    return spaced or kind == "array" or (kind == "text" and len(name) > 2)
