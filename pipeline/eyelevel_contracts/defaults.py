"""The defaults that a contract states, written out."""

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
