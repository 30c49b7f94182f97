"""Repairs a wrong study, so that its other faults can be found: inserts the probable value, or else an example."""

import copy
import re
from collections.abc import Iterable
from typing import Any

from eyelevel_core.contracts.sentences import Form, Problem, Where

# one of these matches each pattern of the contract
EXAMPLES = ("x", "XXX", "https://x/", "0" * 64)


def repaired(study: Any, problems: Iterable[Problem]) -> Any:
    """Returns a copy in which each problem has been corrected in some way; the copy may have other problems."""
    changed = copy.deepcopy(study)
    for problem in problems:
        if not problem.where:
            return example(problem.form or {})
        parent = _at(changed, problem.where[:-1])
        if isinstance(parent, dict | list):
            _repair(parent, problem)
    return changed


def example(form: Form) -> Any:
    """Returns the simplest value that a JSON Schema allows."""
    for name in ("default", "const"):
        if name in form:
            return copy.deepcopy(form[name])
    if "enum" in form:
        return form["enum"][0]
    if "propertyNames" in form:
        return dict.fromkeys(form["propertyNames"]["enum"], "x")
    pattern, length = form.get("pattern", ""), form.get("minLength", 1)
    simple = {
        "object": {name: example(form.get("properties", {}).get(name, {})) for name in form.get("required", ())},
        "array": [example(form.get("items", {})) for _ in range(form.get("minItems", 0))],
        "integer": form.get("minimum", 1),
        "number": form.get("minimum", 1),
        "boolean": False,
    }
    kind = form.get("type")
    text = next((text for text in EXAMPLES if re.search(pattern, text)), "x") * max(1, length)
    return simple.get(kind, text) if isinstance(kind, str) else text


def _repair(parent: dict[Any, Any] | list[Any], problem: Problem) -> None:
    last: Any = problem.where[-1]
    if isinstance(parent, list):
        if problem.fault != "repeated" and last < len(parent):
            parent[last] = _instead(problem)
        elif problem.fault == "repeated":
            del parent[last:]
    elif problem.fault in ("unknown", "continued"):
        value = parent.pop(last, None)
        if problem.meant is not None:
            parent.setdefault(problem.meant, value)
    elif problem.fault == "missing":
        parent.setdefault(last, example(problem.form or {}))
    else:
        parent[last] = _instead(problem)


def _instead(problem: Problem) -> Any:
    return example(problem.form or {}) if problem.meant is None else problem.meant


def _at(value: Any, where: Where) -> Any:
    for part in where:
        if isinstance(value, dict):
            value = value.get(part)
        elif isinstance(value, list) and isinstance(part, int) and part < len(value):
            value = value[part]
        else:
            return None
    return value
