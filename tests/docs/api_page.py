"""Makes docs/reference/api-bodies.md from docs/contracts/openapi.json: parameters of calls, and fields of bodies."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from docs.commands_page import marked
from docs.markdown import REPOSITORY
from docs.tables import page, paragraph, table

FILE = REPOSITORY / "docs" / "contracts" / "openapi.json"
RANGES = {
    "minimum": "at least {}",
    "maximum": "at most {}",
    "maxLength": "at most {} characters",
    "maxItems": "at most {} items",
    "maxProperties": "at most {} names",
}
METHODS = ("get", "post", "put", "delete")

Schema = Mapping[str, Any]


def openapi() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(FILE.read_text())
    return loaded


def calls() -> Iterator[tuple[str, str, Schema]]:
    """Method, path and description of every call."""
    for path, methods in openapi()["paths"].items():
        for method in METHODS:
            if method in methods:
                yield method.upper(), path, methods[method]


def api_page() -> str:
    schemas = openapi()["components"]["schemas"]
    rows = [
        (f"`{method} {path}`", _parameters(call), _body(call), ", ".join(_answers(call)))
        for method, path, call in calls()
    ]
    return page(
        "# API bodies",
        paragraph(
            "Parameters, bodies and fields of the [HTTP API](../contracts/api.md), which explains the calls. This page "
            "is generated from [openapi.json](../contracts/openapi.json) by `make reference`; do not edit it."
        ),
        "## Calls",
        table(("call", "query", "body", "response"), rows),
        "## Bodies",
        *(part for name in sorted(schemas) for part in _section(name, schemas[name])),
    )


def _section(name: str, schema: Schema) -> Iterator[str]:
    yield f"### {name}"
    if "description" in schema:
        yield paragraph(marked(schema["description"]))
    if "enum" in schema:
        yield paragraph(f"One of {', '.join(f'`{value}`' for value in schema['enum'])}.")
    fields = schema.get("properties", {})
    if fields:
        required = schema.get("required", [])
        yield table(
            ("field", "type", "required", "default", "description"),
            [
                (
                    f"`{field}`",
                    _type(part),
                    "yes" if field in required else "",
                    f"`{json.dumps(part['default'])}`" if part.get("default") is not None else "",
                    marked(part.get("description", "")),
                )
                for field, part in fields.items()
            ],
        )


def _parameters(call: Schema) -> str:
    queries = [parameter for parameter in call.get("parameters", []) if parameter["in"] == "query"]
    return ", ".join(f"`{query['name']}`: {_type(query['schema'])}" for query in queries)


def _body(call: Schema) -> str:
    contents = call.get("requestBody", {}).get("content", {})
    return ", ".join(_type(content["schema"]) for content in contents.values())


def _answers(call: Schema) -> Iterator[str]:
    for status, answer in call["responses"].items():
        shapes = [_type(content["schema"]) for content in answer.get("content", {}).values() if content.get("schema")]
        yield " ".join([status, *shapes])


def _type(schema: Schema) -> str:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    if "const" in schema:
        return f"`{schema['const']}`"
    for choice in ("anyOf", "oneOf", "allOf"):
        if choice in schema:
            return " or ".join(_type(alternative) for alternative in schema[choice])
    if schema.get("type") == "array":
        kind = f"list of {_type(schema.get('items', {}))}"
    elif schema.get("type") == "object":
        values = schema.get("additionalProperties")
        kind = f"object of {_type(values)}" if isinstance(values, dict) else "object"
    else:
        kind = schema.get("format") or schema.get("type") or "any"
    limits = [words.format(f"{schema[limit]:g}") for limit, words in RANGES.items() if limit in schema]
    return ", ".join([kind, *limits])
