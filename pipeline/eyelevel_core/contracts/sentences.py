"""Turns errors of JSON Schema into sentences: the value found, the values allowed, and what was probably meant."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast

from eyelevel_core.characters import foreign, outside_ascii, plain
from eyelevel_core.contracts.continued import continued
from eyelevel_core.contracts.patterns import NAME, in_words, look_alike, rule_of, such_as
from eyelevel_core.contracts.written import WrittenFloat, WrittenInt, cut, number_meant, texts
from eyelevel_core.suggestions import closest, did_you_mean

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

# the path of a field from the root
Where = tuple[str | int, ...]
Form = Mapping[str, Any]
# known values by the name of their field, beyond those in the schema
Known = Mapping[str, Sequence[str]]

TYPES = {
    "integer": "a whole number",
    "number": "a number",
    "string": "text",
    "array": "a list",
    "object": "a group of fields",
    "boolean": "true or false",
    "null": "null",
}
# beginnings of descriptions that can complete "is empty; write ..."
NOUNS = ("a ", "an ", "the ", "how ", "where ", "why ")
# characters of a value, and entries of a list, that a sentence shows
SHOWN = 70
LISTED = 40
# a field without a name
EMPTY_NAME = '""'


class Problem(NamedTuple):
    """A problem of a field: its path, and the sentence about it without the field's name.

    `says` ends the sentence. `because` has the fields on which the sentence relies: where one of these is wrong
    itself, the problem is a consequence and is not reported. `meant` is what the author probably wanted to write: the
    name of an unknown field, or the field that it continues, else the value. `form` is the schema of the field, where
    there is one. `beside` is another field that the sentence names; a sentence about a file adds its line.
    """

    where: Where
    says: str
    because: Sequence[Where] = ()
    meant: str | None = None
    form: Form | None = None
    fault: Literal["value", "empty", "unknown", "continued", "missing", "repeated"] = "value"
    beside: Where | None = None


def dotted(where: Where) -> str:
    """Returns a field's path in the form `contexts[0].label`."""
    parts = (f"[{part}]" if isinstance(part, int) else f".{cut(part, SHOWN) or EMPTY_NAME}" for part in where)
    return "".join(parts).lstrip(".")


def sentence(problem: Problem) -> str:
    """Returns the whole sentence, without the name of the file."""
    if problem.fault == "continued":
        return f"{dotted(problem.where[:-1]) or 'the top level'}: {problem.says}"
    return f"{dotted(problem.where) or 'the top level'} {problem.says}"


def problems_of(
    errors: Iterable["ValidationError"], where: Where = (), known: Known | None = None
) -> Iterator[Problem]:
    """Returns the problems of a value at `where`; a missing field is not reported if its mistyped name is."""
    yield from without_caused([problem for error in errors for problem in _problems(error, where, known or {})])


def without_caused(problems: Sequence[Problem]) -> list[Problem]:
    """Removes problems that follow from others: a field missing under a mistyped name, a divided value."""
    renamed = {
        (*problem.where[:-1], problem.meant) for problem in problems if problem.fault in ("unknown", "continued")
    }
    strange = {problem.where for problem in problems if problem.fault in ("unknown", "continued")}
    return [
        problem
        for problem in problems
        if problem.where not in renamed and (problem.where not in strange or problem.fault != "value")
    ]


def _problems(error: "ValidationError", before: Where, known: Known) -> Iterator[Problem]:
    where = (*before, *error.absolute_path)
    form, value, rule = (cast(Any, part) for part in (error.schema, error.instance, error.validator_value))
    if not isinstance(form, Mapping):
        yield Problem(where, "is not allowed here; delete it.")
    elif error.validator == "propertyNames":
        # an error per name
        yield _unknown(where, error.message, value, rule)
    elif error.validator == "additionalProperties":
        names = form.get("properties", {})
        for name in value:
            if name not in names:
                yield _unknown(where, name, value, {"enum": [*names], "properties": names})
    elif error.validator == "required":
        for name in rule:
            # an error per name, each of which shows the whole list
            if name not in value and error.message.startswith(repr(name)):
                field_form = form.get("properties", {}).get(name, {})
                yield Problem((*where, name), f"is missing; add it{_as(field_form)}.", form=field_form, fault="missing")
    elif error.validator == "uniqueItems":
        place, entry = _repeated(value)
        yield Problem((*where, place), f"repeats {displayed(entry)}; keep one.", fault="repeated")
    elif error.context and any(branch.relative_path for branch in error.context):
        # the branch that the value was most probably meant for
        yield from _problems(min(error.context, key=lambda branch: len(branch.relative_path)), before, known)
    else:
        yield _wrong(where, value, error, known)


def _unknown(where: Where, name: str, group: Form, form: Form) -> Problem:
    """A field of a group whose name is not known: `form` is the schema of names."""
    names, place = form.get("enum", ()), (*where, name)
    if names and (text := continued(group, name, names, form.get("properties"))) is not None:
        because = [] if text.first == name else [(*where, text.first)]
        return Problem(place, text.says, because=because, meant=text.field, fault="continued")
    open_names = [candidate for candidate in names if candidate not in group]
    meant = closest(name, open_names)
    head, colon, tail = name.partition(":")
    if colon and tail and head in open_names:
        says = f"is not a known field; write a space after the colon: {head}: {tail}."
        return Problem(place, says, meant=head, fault="unknown")
    says = f"is not a known field.{did_you_mean(name, open_names)}"
    if not names and "pattern" in form:
        says = (
            f"is not a valid name.{foreign(name)} It {rule_of(form['pattern'], name)}{such_as(form['pattern'], name)}."
        )
    elif meant is None and names:
        says += f" The fields here are {_listed(names)}."
    return Problem(place, says, meant=meant, fault="unknown")


def _wrong(where: Where, value: Any, error: "ValidationError", known: Known) -> Problem:
    form: Form = error.schema if isinstance(error.schema, Mapping) else {}
    if value is None or value == "":
        return Problem(where, f"is empty; write {_belongs(where, form, known) or _whole(form)}.", form=form)
    if value == [] and error.validator == "minItems":
        says = f"is an empty list; write {_entries(form, known.get(_field(where), ()))}."
        return Problem(where, says, form=form, fault="empty")
    if isinstance(value, str):
        return _wrong_text(where, value, error, form, known)
    says = f"is {displayed(value)}, but must be {_of_branches(error) or wanted(form)}{_cure(value, form, known)}."
    return Problem(where, says, form=form)


def _wrong_text(where: Where, value: str, error: "ValidationError", form: Form, known: Known) -> Problem:
    meant = closest(value, [choice for choice in _allowed(form) if isinstance(choice, str)])
    rule, example = f"must be {_of_branches(error) or wanted(form)}", ""
    if error.validator == "pattern":
        meant = look_alike(form["pattern"], value)
        rule = rule_of(form["pattern"], value)
        example = "" if meant else such_as(form["pattern"], value)
    names = error.validator in ("pattern", "enum", "const") or form.get("type") in ("integer", "number", "array")
    odd = outside_ascii(value) if names else ""
    # before the rule, which may be long
    contains = f", which contains {odd}" if odd else ""
    says = f"is {displayed(value)}{contains}, but {rule}{example}{_cure(value, form, known)}."
    says += "" if meant is None or "const" in form else f" Did you mean {meant}?"
    return Problem(where, says, meant=meant, form=form)


def _belongs(where: Where, form: Form, known: Known) -> str:
    """Returns what to write in place of an empty text; empty for other fields, and for texts without a description."""
    if form.get("type") != "string" or "enum" in form:
        return ""
    field = _field(where)
    if field != "pairs" and (names := known.get(field)):
        return f"one of {_listed(names)}"
    if where and where[-1] in known.get("languages", ()):
        return f"the text in {where[-1]}"
    if "pattern" in form:
        return ""
    said = form.get("description", "").split(";")[0].split(":")[0]
    if not said.startswith(NOUNS):
        return "the text"
    return f"{said}, such as {form['examples'][0]}" if "examples" in form else said


def _entries(form: Form, names: Sequence[str]) -> str:
    """What to write for an empty list: names that are known, else how many entries."""
    least, items = form.get("minItems", 1), form.get("items", {})
    names = names or [choice for choice in _allowed(items) if isinstance(choice, str)]
    exactly = form.get("maxItems") == least
    if names and len(names) <= least:
        return f"[{', '.join(names)}]{', in the order that you mean' if least > 1 else ''}"
    number = "one" if least == 1 else str(least)
    said = number if exactly else f"at least {number}"
    if names:
        return f"{said} of {_listed(names)}"
    noun = "name" if items.get("pattern") == NAME else "number" if items.get("type") == "integer" else "entry"
    parts = items.get("required", ())
    inside = f", with {_and(parts)}" if parts else ""
    return f"{said} {noun if least == 1 else _plural(noun)}{inside}"


def _field(where: Where) -> str:
    return next((part for part in reversed(where) if isinstance(part, str)), "")


def _of_branches(error: "ValidationError") -> str:
    """Returns what a value with several allowed forms must be; empty if there is only one."""
    branches = [] if not error.context else [branch.schema for branch in error.context]
    words = dict.fromkeys(wanted(form) for form in branches if isinstance(form, Mapping))
    return " or ".join(words)


def displayed(value: Any) -> str:
    """Returns a value as messages show it."""
    if value is None:
        return "empty"
    if value in ([], {}) and not isinstance(value, bool):
        return "an empty list" if value == [] else "an empty group of fields"
    return "an empty text" if value == "" else cut(_json(value), SHOWN)


def wanted(form: Form) -> str:
    """Describes the values that a schema allows, as the end of `must be ...`."""
    if "const" in form or "enum" in form:
        allowed = _allowed(form)
        return displayed(allowed[0]) if len(allowed) == 1 else f"one of {_listed(allowed)}"
    if "pattern" in form:
        return in_words(form["pattern"])
    if "propertyNames" in form and "enum" in form["propertyNames"]:
        return "one text per language"
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
    return f"{number} {noun if number == 1 else _plural(noun)}"


def _plural(noun: str) -> str:
    return "entries" if noun == "entry" else f"{noun}s"


def _and(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else words[0]


def _cure(value: Any, form: Form, known: Known) -> str:
    """Returns a correction for a value that has the wrong type and is easily corrected."""
    kinds, items = form.get("type", []), form.get("items", {})
    fits = re.search(form.get("pattern", ""), _json(value)) is not None
    if "string" in kinds and isinstance(value, bool | int | float) and fits:
        return f'; put it in quotes: "{_json(value)}"'
    if isinstance(value, str) and ("integer" in kinds or "number" in kinds):
        meant = number_meant(value, whole="number" not in kinds)
        fitting = meant is not None and form.get("minimum", 0) <= float(meant) <= form.get("maximum", float(meant))
        return f"; write {meant}{' without quotes' if meant == value else ''}" if fitting else ""
    if "propertyNames" in form and isinstance(value, str | int | float) and not isinstance(value, bool):
        languages = known.get("languages") or form["propertyNames"]["enum"][:1]
        return f"; write {texts(str(value), languages)}"
    if "propertyNames" in form:
        return _whole(form).removeprefix(wanted(form))
    one_is_enough = form.get("minItems", 0) <= 1 and items.get("type", "string") in ("string", "integer", "number")
    if "array" in kinds and isinstance(value, str | int | float) and one_is_enough:
        listed = plain(value) if isinstance(value, str) else ""
        return f"; write {listed}" if listed[:1] + listed[-1:] == "[]" else f"; write [{value}]"
    return ""


def _as(form: Form) -> str:
    said = _whole(form)
    return "" if said == "of another form" else f": {said}"


def _whole(form: Form) -> str:
    """Describes what to write for a missing value."""
    languages = form.get("propertyNames", {}).get("enum")
    return wanted(form) + (f", such as {{{languages[0]}: ...}}" if languages else "")


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
    """A value in JSON, but numbers as they stand in the file."""
    if isinstance(value, WrittenInt | WrittenFloat):
        return str(value)
    if isinstance(value, list):
        return f"[{', '.join(map(_json, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_json(name)}: {_json(item)}' for name, item in value.items())}}}"
    return json.dumps(value, ensure_ascii=False, default=str)
