"""Writes the contracts' reference pages, one Markdown table per contract.

Run `python -m eyelevel_core.contracts.reference docs/contracts` after you change a contract; a test fails until then.
"""

import json
import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from eyelevel_core.contracts.check import FOLDER, schema
from eyelevel_core.contracts.columns import listed

UNITS = {
    "_ms": "ms",
    "_s": "s",
    "_bytes": "bytes",
    "_px": "pixels",
    "_mbps": "Mbit/s",
}
HEAD = ("field", "type", "unit, range", "required", "default", "description")
NOTE = "This page is generated from `{source}` by `python -m eyelevel_core.contracts.reference`; do not edit it."
LONGEST = 120

Schema = Mapping[str, Any]


def pages() -> dict[str, str]:
    """Returns the Markdown text for every contract, by file name."""
    page_of = {}
    for path in sorted(FOLDER.glob("*.schema.json")):
        page_of[f"{path.name.removesuffix('.schema.json')}.md"] = _schema_page(path)
    for path in sorted(FOLDER.glob("export-*.json")):
        page_of[f"{path.name.removesuffix('.json')}.md"] = _columns_page(path)
    return page_of


def _schema_page(path: Path) -> str:
    whole = schema(path.name.removesuffix(".schema.json"))
    rows = [*_array(whole), *_rows(whole, whole)]
    return _page(path, whole.get("title", path.name), whole.get("description", ""), HEAD, rows)


def _array(schema: Schema) -> list[Sequence[str]]:
    return (
        [("[]", "list", "", "", "", "list of objects with the following fields")]
        if schema.get("type") == "array"
        else []
    )


def _columns_page(path: Path) -> str:
    head = ("column", "type", "unit", "in every file", "description")
    rows = [
        (
            f"`{column.name}`",
            column.type,
            column.unit or "",
            "no" if column.optional else "yes",
            column.description,
        )
        for column in listed(path.name.removesuffix(".json"))
    ]
    return _page(
        path,
        f"Columns of {json.loads(path.read_text())['file']}",
        "Text in UTF-8; an empty cell is unknown.",
        head,
        rows,
    )


def _page(path: Path, title: str, description: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    name = path.name.removesuffix(".schema.json").removesuffix(".json")
    source = NOTE.format(source=f"pipeline/eyelevel_core/contracts/{path.name}")
    lines = [f"# {title} (`{name}`)", "", *([_wrapped(description), ""] if description else []), _wrapped(source), ""]
    lines += [_line(head), _line(["---"] * len(head)), *map(_line, rows)]
    return "\n".join(lines) + "\n"


def _wrapped(text: str) -> str:
    return textwrap.fill(text, 100, break_long_words=False, break_on_hyphens=False)


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def _rows(schema: Schema, root: Schema, prefix: str = "") -> Iterator[Sequence[str]]:
    """A row per field at any depth; `a.b` is a field of an object, `a[]` an item of a list, `a.*` any other name."""
    schema = _resolved(schema, root)
    required = schema.get("required", [])
    for name, part in _properties(schema).items():
        path = f"{prefix}.{name}" if prefix else name
        resolved = _resolved(part, root)
        yield _row(path, name, resolved, root, required=name in required)
        yield from _rows(resolved, root, path)
    items = schema.get("items")
    if isinstance(items, Mapping):
        yield from _rows(items, root, f"{prefix}[]")
    other = schema.get("additionalProperties")
    if isinstance(other, Mapping):
        path, resolved = f"{prefix}.*", _resolved(other, root)
        yield _row(path, prefix, resolved, root, required=False)
        yield from _rows(resolved, root, path)


def _properties(schema: Schema) -> Mapping[str, Schema]:
    then = schema.get("then", {})
    return {**then.get("properties", {}), **schema.get("properties", {})}


def _resolved(schema: Schema, root: Schema) -> Schema:
    name = schema.get("$ref")
    if not isinstance(name, str) or not name.startswith("#/"):
        return schema
    target: Any = root
    for part in name.removeprefix("#/").split("/"):
        target = target[part]
    return {**target, **{key: value for key, value in schema.items() if key != "$ref"}}


def _row(path: str, name: str, schema: Schema, root: Schema, *, required: bool) -> Sequence[str]:
    return (
        f"`{path}`",
        _type(schema, root),
        ", ".join(word for word in (_unit(name, schema), _range(schema)) if word),
        "yes" if required else "",
        f"`{_short(schema['default'])}`" if "default" in schema else "",
        schema.get("description", ""),
    )


def _type(schema: Schema, root: Schema) -> str:
    schema = _resolved(schema, root)
    if "const" in schema:
        return f"`{_short(schema['const'])}`"
    if "enum" in schema:
        return " or ".join(f"`{_short(value)}`" for value in schema["enum"])
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return " or ".join(dict.fromkeys(_type(choice, root) for choice in schema[key]))
    kinds = schema.get("type", "any")
    names = [kinds] if isinstance(kinds, str) else list(kinds)
    if "array" in names and isinstance(schema.get("items"), Mapping):
        names[names.index("array")] = f"list of {_type(schema['items'], root)}"
    return " or ".join(name.replace("array", "list") for name in names)


def _unit(name: str, schema: Schema) -> str:
    kinds = schema.get("type", "")
    if not {"number", "integer"} & set([kinds] if isinstance(kinds, str) else kinds):
        return ""
    return next((unit for end, unit in UNITS.items() if name.endswith(end)), "")


def _range(schema: Schema) -> str:
    if "minimum" in schema and "maximum" in schema:
        schema = {**schema, "between": f"{schema['minimum']} to {schema['maximum']}"}
        schema = {key: value for key, value in schema.items() if key not in ("minimum", "maximum")}
    words = {
        "between": "{}",
        "minimum": "at least {}",
        "exclusiveMinimum": "above {}",
        "maximum": "at most {}",
        "exclusiveMaximum": "below {}",
        "multipleOf": "in steps of {}",
        "minItems": "at least {} items",
        "maxItems": "at most {} items",
        "minLength": "at least {} characters",
        "maxLength": "at most {} characters",
    }
    limits = [text.format(schema[key]) for key, text in words.items() if key in schema]
    if "pattern" in schema and len(schema["pattern"]) <= LONGEST:
        limits.append(f"matches `{schema['pattern']}`")
    return ", ".join(limits)


def _short(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def main() -> None:
    """Writes the pages into the folder named on the command line."""
    if len(sys.argv) != 2:
        sys.exit("usage: python -m eyelevel_core.contracts.reference FOLDER")
    folder = Path(sys.argv[1])
    for name, text in pages().items():
        (folder / name).write_text(text)


if __name__ == "__main__":
    main()
