"""Turns errors of JSON Schema into sentences: the value found, the values allowed, and what was probably meant."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast

from eyelevel_core.characters import foreign, plain
from eyelevel_core.suggestions import closest, did_you_mean

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

# the path of a field from the root
Where = tuple[str | int, ...]
Form = Mapping[str, Any]

TYPES = {
    "integer": "a whole number",
    "number": "a number",
    "string": "text",
    "array": "a list",
    "object": "a group of fields",
    "boolean": "true or false",
    "null": "null",
}
NAME = "^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$"
# what texts match the patterns of the contracts
PATTERNS = {
    NAME: "a name of at most 64 letters from A to Z, digits and . _ + -, with a letter or digit first",
    "^[0-9a-f]{64}$": "a SHA-256 digest of 64 digits and letters from a to f",
    "^[a-z][a-z0-9-]{0,31}$": "a key of at most 32 lower-case letters, digits and -, with a letter first",
    "^[a-z][a-z0-9_]{0,31}$": "a key of at most 32 lower-case letters, digits and _, with a letter first",
    "^[a-z][a-z0-9_-]{0,31}$": "a key of at most 32 lower-case letters, digits, _ and -, with a letter first",
    "^[a-z0-9][a-z0-9_-]{0,31}$": "a key of at most 32 lower-case letters, digits, _ and -, neither _ nor - first",
    "^[A-Za-z][A-Za-z0-9_-]{0,31}$": "a key of at most 32 letters, digits, _ and -, with a letter first",
    "^[A-Za-z][A-Za-z0-9_-]{0,63}$": "a key of at most 64 letters, digits, _ and -, with a letter first",
    "^[A-Za-z0-9_-]{1,64}$": "a code of at most 64 letters, digits, _ and -",
    "^[A-Z]{3}$": "a currency of three capital letters, such as EUR",
    r"^https://\S+$": "a URL that begins with https:// and has no spaces",
    "^https?://": "a URL that begins with https:// or http://",
    "^https?:": "a URL that begins with https: or http:",
    "^/": "a path that begins with /",
    "^[#.]+$": "a row of # and .",
    "^(medoid|q[0-9]{2,3})$": "medoid, or a quantile such as q25",
    "^takes/[^/]+/[^/]+/[^/]+/(run|http|altsvc|tickets|all)-[0-9]{2,}$": "a run such as takes/SITE/LTE/QUIC/run-01",
}
# characters of a value, and entries of a list, that a sentence shows
SHOWN = 60
LISTED = 40


class Problem(NamedTuple):
    """What is wrong with a field: its path, and the sentence about it without the field's name.

    `says` ends the sentence. `because` has the fields on which the sentence relies: where one of these is wrong
    itself, the problem is a consequence and is not reported. `meant` is what the author probably wanted to write: the
    name of an unknown field, else the value. `form` is the schema of the field, where there is one.
    """

    where: Where
    says: str
    because: Sequence[Where] = ()
    meant: str | None = None
    form: Form | None = None
    fault: Literal["value", "unknown", "missing", "repeated"] = "value"


def dotted(where: Where) -> str:
    """A field's path as people write it: `contexts[0].label`."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{_cut(part)}" for part in where).lstrip(".")


def sentence(problem: Problem) -> str:
    """The whole sentence, without the name of the file."""
    return f"{dotted(problem.where) or 'the top level'} {problem.says}"


def problems_of(errors: Iterable["ValidationError"], where: Where = ()) -> Iterator[Problem]:
    """The problems of a value that is at `where`; a missing field is not reported beside its mistyped name."""
    yield from without_renamed([problem for error in errors for problem in _problems(error, where)])


def without_renamed(problems: Sequence[Problem]) -> list[Problem]:
    """The problems without those about a missing field that is there under a mistyped name."""
    renamed = {(*problem.where[:-1], problem.meant) for problem in problems if problem.fault == "unknown"}
    return [problem for problem in problems if problem.where not in renamed]


def _problems(error: "ValidationError", before: Where) -> Iterator[Problem]:
    where = (*before, *error.absolute_path)
    form, value, rule = (cast(Any, part) for part in (error.schema, error.instance, error.validator_value))
    if not isinstance(form, Mapping):
        yield Problem(where, "is not allowed here; delete it.")
    elif "propertyNames" in error.absolute_schema_path:
        yield _unknown((*where, value), value, form.get("enum", ()), form)
    elif error.validator == "additionalProperties":
        known = form.get("properties", {})
        for name in value:
            if name not in known:
                yield _unknown((*where, name), name, [one for one in known if one not in value], {"enum": [*known]})
    elif error.validator == "required":
        for name in rule:
            # an error per name, each of which shows the whole list
            if name not in value and error.message.startswith(repr(name)):
                own = form.get("properties", {}).get(name, {})
                yield Problem((*where, name), f"is missing; add it{_as(own)}.", form=own, fault="missing")
    elif error.validator == "uniqueItems":
        place, entry = _repeated(value)
        yield Problem((*where, place), f"repeats {_cut(_json(entry))}; keep one.", fault="repeated")
    elif error.context and any(branch.relative_path for branch in error.context):
        # the branch that the value was most probably meant for
        yield from _problems(min(error.context, key=lambda branch: len(branch.relative_path)), before)
    else:
        yield _wrong(where, value, error)


def _unknown(where: Where, name: str, open_names: Iterable[str], form: Form) -> Problem:
    """A field that is not known; `open_names` are the known fields that are not there yet."""
    known = form.get("enum", ())
    rest = f"The fields here are {_listed(known)}" if known else f"Its name must be {wanted(form)}"
    meant = closest(name, open_names)
    says = f"is not a known field.{foreign(name)}{did_you_mean(name, open_names)} {rest}."
    if name.isdigit() or " " in name:
        decimals = "Write a number with a decimal point, not a comma."
        says += f" {decimals if name.isdigit() else 'If it continues the text before a comma, put the text in quotes.'}"
    return Problem(where, says, meant=meant, fault="unknown")


def _wrong(where: Where, value: Any, error: "ValidationError") -> Problem:
    form: Form = error.schema if isinstance(error.schema, Mapping) else {}
    meant = None
    if value == "" and error.validator == "minLength":
        return Problem(where, "is an empty text; write one.", form=form)
    if isinstance(value, str):
        meant = closest(value, [one for one in _allowed(form) if isinstance(one, str)])
        if meant is None and "pattern" in form and plain(value) != value and re.search(form["pattern"], plain(value)):
            meant = plain(value)
    says = f"is {found(value)}, but must be {_of_branches(error) or wanted(form)}{_cure(value, form)}."
    if isinstance(value, str):
        says += "" if error.validator in ("minLength", "maxLength") else foreign(value)
        says += "" if meant is None or "const" in form else f" Did you mean {meant}?"
    return Problem(where, says, meant=meant, form=form)


def _of_branches(error: "ValidationError") -> str:
    """What a value must be that may have one of several forms; empty where it has only one."""
    branches = [] if not error.context else [branch.schema for branch in error.context]
    words = dict.fromkeys(wanted(form) for form in branches if isinstance(form, Mapping))
    return " or ".join(words)


def found(value: Any) -> str:
    """A value as sentences show it."""
    if value is None:
        return "empty"
    if value in ([], {}) and not isinstance(value, bool):
        return "an empty list" if value == [] else "an empty group of fields"
    return "an empty text" if value == "" else _cut(_json(value))


def wanted(form: Form) -> str:
    """What values a form allows, as the end of `must be ...`."""
    if "const" in form or "enum" in form:
        allowed = _allowed(form)
        return found(allowed[0]) if len(allowed) == 1 else f"one of {_listed(allowed)}"
    if "pattern" in form:
        return PATTERNS.get(form["pattern"], "text of another form")
    if "propertyNames" in form and "enum" in form["propertyNames"]:
        first = form["propertyNames"]["enum"][0]
        return f"one text per language, such as {{{first}: ...}}"
    kinds = form.get("type", [])
    names = [kinds] if isinstance(kinds, str) else list(kinds)
    said = " or ".join(_with_limits(name, form) for name in names)
    return said or _with_limits("", form) or "of another form"


def _with_limits(kind: str, form: Form) -> str:
    words = TYPES.get(kind, "")
    if kind in ("integer", "number") or not kind:
        return (words or ("a number" if _range(form) else "")) + _range(form)
    if kind == "string":
        return words + _size(form, "Length", "character")
    if kind == "array":
        inside = form.get("items", {})
        named = isinstance(inside, Mapping) and inside.get("pattern") == NAME
        return words + _size(form, "Items", "name" if named else "entry")
    if kind == "object":
        names = list(form.get("properties", {}))
        return words + (f" ({_listed(names)})" if names else _size(form, "Properties", "field"))
    return words


def _range(form: Form) -> str:
    if "minimum" in form and "maximum" in form:
        return f" from {form['minimum']} to {form['maximum']}"
    words = {
        "minimum": "at least",
        "exclusiveMinimum": "above",
        "maximum": "at most",
        "exclusiveMaximum": "below",
        "multipleOf": "in steps of",
    }
    said = [f"{text} {form[name]}" for name, text in words.items() if name in form]
    of = "of " if said and said[0].startswith("at") else ""
    return f" {of}{' and '.join(said)}" if said else ""


def _size(form: Form, of: str, noun: str) -> str:
    least, most = form.get(f"min{of}", 0), form.get(f"max{of}")
    if (of, least) == ("Length", 1):
        least = 0
    if least and least == most:
        return f" of {_count(least, noun)}"
    said = [f"at least {_count(least, noun)}"] if least else []
    said += [f"at most {_count(most, noun)}"] if most is not None else []
    return f" of {' and '.join(said)}" if said else ""


def _count(number: int, noun: str) -> str:
    if number != 1:
        noun = "entries" if noun == "entry" else f"{noun}s"
    return f"{number} {noun}"


def _cure(value: Any, form: Form) -> str:
    """What to write, where a value has the wrong type and is easily corrected."""
    kinds, items = form.get("type", []), form.get("items", {})
    if value is None:
        return "; write a value"
    if "string" in kinds and isinstance(value, bool | int | float):
        return f'; put it in quotes: "{_json(value)}"'
    if isinstance(value, str) and ("integer" in kinds or "number" in kinds) and plain(value).isdecimal():
        return f"; write {plain(value)} without quotes"
    one_is_enough = form.get("minItems", 0) <= 1 and items.get("type", "string") in ("string", "integer", "number")
    if "array" in kinds and isinstance(value, str | int | float) and one_is_enough:
        return f"; write [{value}]"
    return ""


def _as(form: Form) -> str:
    said = wanted(form)
    return "" if said == "of another form" else f": {said}"


def _allowed(form: Form) -> list[Any]:
    if "const" in form:
        return [form["const"]]
    return list(form.get("enum", ()))


def _repeated(entries: Sequence[Any]) -> tuple[int, Any]:
    seen: set[str] = set()
    for place, entry in enumerate(entries):
        text = json.dumps(entry, sort_keys=True)
        if text in seen:
            return place, entry
        seen.add(text)
    raise ValueError("no entry is repeated")


def _listed(values: Sequence[Any]) -> str:
    words = [value if isinstance(value, str) else _json(value) for value in values]
    return ", ".join(words[:LISTED]) + (f" and {len(words) - LISTED} more" if len(words) > LISTED else "")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 3]}..."
