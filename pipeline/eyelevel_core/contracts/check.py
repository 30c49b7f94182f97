"""Validates values against the contracts, the JSON Schemas in this folder."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from eyelevel_core.contracts.metrics import with_metrics

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

# the path of a field from the root
Where = tuple[str | int, ...]
FOLDER = Path(__file__).resolve().parent


class ContractError(ValueError):
    """A value breaks its contract; the text is one sentence that names the field, the value and the cure.

    `where` is the path of the field from the root of the value, e.g. `("sites", 0, "name")`.
    """

    def __init__(self, message: str, where: Where = ()) -> None:
        super().__init__(message)
        self.where = where


@cache
def schema(name: str) -> dict[str, Any]:
    """The JSON Schema of a contract, e.g. `batch.1`."""
    loaded: dict[str, Any] = with_metrics(json.loads((FOLDER / f"{name}.schema.json").read_text()))
    return loaded


def check(value: Any, contract: str, *, source: str) -> None:
    """Raise ContractError if `value` breaks `contract`; `source` names the file or request in the sentence."""
    check_schema(value, schema(contract), source=source)


def check_schema(value: Any, form: Mapping[str, Any], *, source: str, where: Where = ()) -> None:
    """Raise ContractError if `value`, which is at `where`, breaks the JSON Schema `form`."""
    # a fifth of the time that a command takes to start, and not every command checks something
    from jsonschema.exceptions import best_match  # noqa: PLC0415

    error = best_match(_validator()(form).iter_errors(value))
    if error is not None:
        path = (*where, *error.absolute_path)
        raise ContractError(_sentence(error, source, path), path)


@cache
def _validator() -> Any:
    """The validator of JSON Schema; its own `uniqueItems` takes quadratic time for a list of numbers and texts."""
    from jsonschema import Draft202012Validator  # noqa: PLC0415
    from jsonschema.exceptions import ValidationError  # noqa: PLC0415
    from jsonschema.validators import extend  # noqa: PLC0415

    def unique(_validator: Any, wanted: bool, value: Any, _form: Any) -> Iterator[ValidationError]:
        entries = value if wanted and isinstance(value, list) else []
        if len({json.dumps(entry, sort_keys=True) for entry in entries}) < len(entries):
            yield ValidationError("it lists something twice")

    return extend(Draft202012Validator, {"uniqueItems": unique})  # type: ignore[no-untyped-call]


def check_relative_path(path: str, *, source: str) -> None:
    """Raise ContractError if `path` is absolute, leaves its folder, or has a spelling that systems read differently."""
    pure = PurePosixPath(path)
    odd = "\\" in path or "\x00" in path or ":" in path
    if odd or pure.is_absolute() or ".." in pure.parts or str(pure) != path:
        raise ContractError(f"{source}: the path {path!r} leaves the folder; paths must be relative and stay inside.")


def _sentence(error: "ValidationError", source: str, path: Where) -> str:
    field = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in path).lstrip(".")
    if error.validator == "additionalProperties":
        return f"{source}: {field or 'the top level'} has a field the contract does not know: {error.message[:200]}."
    if error.validator == "required":
        return f"{source}: {field or 'the top level'} lacks a field: {error.message}."
    if error.validator == "const":
        return f"{source}: {field} is {_short(error.instance)}, but must be {_short(error.validator_value)}."
    if error.validator == "enum":
        allowed = ", ".join(str(value) for value in _listed(error.validator_value))
        return f"{source}: {field} is {_short(error.instance)}, but must be one of {allowed}."
    return f"{source}: {field or 'the top level'} is wrong: {error.message[:200]}."


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else text[:57] + "..."
