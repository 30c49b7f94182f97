"""The defaults that a contract states, written out, and the greatest numbers that it allows."""

import copy
from collections.abc import Mapping
from typing import Any


def with_defaults(value: Any, schema: Mapping[str, Any]) -> Any:
    """A copy of a value that keeps `schema`, with every default that the schema states written out, at any depth.

    A part that may be left out and has no default of its own is written where something in it has one.
    """
    if isinstance(value, Mapping):
        return _object(value, schema)
    if isinstance(value, list):
        return [with_defaults(item, schema.get("items", {})) for item in value]
    return copy.deepcopy(value)


def _object(value: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    parts: Mapping[str, Mapping[str, Any]] = schema.get("properties", {})
    filled = {key: with_defaults(item, parts.get(key, {})) for key, item in value.items()}
    for key, part in parts.items():
        if key in filled:
            continue
        if "default" in part:
            filled[key] = with_defaults(part["default"], part)
        elif part.get("type") == "object" and not part.get("required") and (inside := _object({}, part)):
            filled[key] = inside
    return filled


def within_maxima(value: Any, schema: Mapping[str, Any]) -> Any:
    """A copy of a value in which every number above the `maximum` that `schema` states for it is that maximum."""
    if isinstance(value, Mapping):
        parts: Mapping[str, Mapping[str, Any]] = schema.get("properties", {})
        return {key: within_maxima(item, parts.get(key, {})) for key, item in value.items()}
    if isinstance(value, list):
        return [within_maxima(item, schema.get("items", {})) for item in value]
    if "maximum" in schema and isinstance(value, int | float):
        return min(value, schema["maximum"])
    return value
