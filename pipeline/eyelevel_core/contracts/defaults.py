"""Applies the defaults that a JSON Schema states."""

import copy
from collections.abc import Mapping
from typing import Any


def with_defaults(value: Any, schema: Mapping[str, Any]) -> Any:
    """Returns a copy of a value that is valid by `schema`, with every default of the schema applied, at any depth.

    An optional object without a default is added if one of its fields has a default.
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
