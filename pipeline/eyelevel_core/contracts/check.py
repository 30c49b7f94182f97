"""Validates values against the contracts, the JSON Schemas in this folder."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

from eyelevel_core.contracts.metrics import with_metrics
from eyelevel_core.contracts.sentences import Form, Known, Problem, Where, problems_of, sentence

FOLDER = Path(__file__).resolve().parent
# messages about empty lists in files that a program wrote
EMPTY = {"batch.1": "the batch has no {0} ({0} is empty); build the batch again, or name another batch."}


class ContractError(ValueError):
    """A value breaks its contract; the text is one sentence that names the field, the value and what to do.

    `where` is the path of the field from the root of the value, e.g. `("sites", 0, "name")`.
    """

    def __init__(self, message: str, where: Where = ()) -> None:
        super().__init__(message)
        self.where = where


@cache
def schema(name: str) -> dict[str, Any]:
    """Returns the JSON Schema of a contract, e.g. `batch.1`."""
    loaded: dict[str, Any] = with_metrics(json.loads((FOLDER / f"{name}.schema.json").read_text()))
    return loaded


def check(value: Any, contract: str, *, source: str) -> None:
    """Raises ContractError if `value` breaks `contract`; `source` names the file or request in the sentence."""
    # a fifth of the time that a command takes to start, and not every command checks something
    from jsonschema.exceptions import best_match  # noqa: PLC0415

    errors = list(_validator()(schema(contract)).iter_errors(value))
    if not errors:
        return
    best = best_match(errors)
    beside = [error for error in errors if error is not best and error.absolute_path == best.absolute_path]
    problem = next(problems_of([best, *beside]))
    says = sentence(problem)
    if problem.fault == "empty" and contract in EMPTY and len(problem.where) == 1:
        says = EMPTY[contract].format(problem.where[0])
    raise ContractError(f"{source}: {says}", problem.where)


def schema_problems(value: Any, form: Form, where: Where = (), known: Known | None = None) -> Iterator[Problem]:
    """Yields each violation of the JSON Schema `form` in a value that is at `where`; sentences list what is `known`."""
    yield from problems_of(_validator()(form).iter_errors(value), where, known)


@cache
def _validator() -> Any:
    """The JSON Schema validator, whose original `uniqueItems` takes quadratic time for a list of numbers and texts.

    An error of `propertyNames` has the whole group, and the name as its message.
    """
    from jsonschema import Draft202012Validator  # noqa: PLC0415
    from jsonschema.exceptions import ValidationError  # noqa: PLC0415
    from jsonschema.validators import extend  # noqa: PLC0415

    def unique(_validator: Any, wanted: bool, value: Any, _form: Any) -> Iterator[ValidationError]:
        entries = value if wanted and isinstance(value, list) else []
        if len({json.dumps(entry, sort_keys=True) for entry in entries}) < len(entries):
            yield ValidationError("an entry is repeated")

    def names(validator: Any, form: Any, value: Any, _form: Any) -> Iterator[ValidationError]:
        for name in value if isinstance(value, dict) else ():
            if not validator.evolve(schema=form).is_valid(name):
                yield ValidationError(name)

    return extend(Draft202012Validator, {"uniqueItems": unique, "propertyNames": names})  # type: ignore[no-untyped-call]


def check_relative_path(path: str, *, source: str) -> None:
    """Raises ContractError if `path` is absolute, leaves its folder, or means different files on different systems."""
    pure = PurePosixPath(path)
    odd = "\\" in path or "\x00" in path or ":" in path
    if odd or pure.is_absolute() or ".." in pure.parts or str(pure) != path:
        raise ContractError(f"{source}: the path {path!r} leaves the folder; paths must be relative and stay inside.")
