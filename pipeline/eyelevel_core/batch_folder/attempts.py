"""attempts.jsonl: one line per attempt that has ended, in order. Contract attempts.1 describes a line."""

import json
from pathlib import Path
from typing import Any

from eyelevel_core.contracts import ContractError, check, parse_json
from eyelevel_core.model.attempt import Attempt


def read_attempts(path: Path) -> list[Attempt] | None:
    """Returns all attempts; None where the file does not exist.

    A line that a crash cut off is skipped. Raise ContractError, with the line's number, where a whole line is wrong.
    """
    if not path.is_file():
        return None
    lines = path.read_text().split("\n")
    attempts = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            attempts.append(_attempt(parse_json(line), f"{path}, line {number}"))
        except ValueError as error:
            if number == len(lines) or _cut_off(line):
                continue
            fault = str(error) if isinstance(error, ContractError) else f"{path}, line {number} is not JSON: {error}."
            raise ContractError(f"{fault} Repair or remove that line.") from error
    return attempts


def _attempt(value: Any, source: str) -> Attempt:
    check(value, "attempts.1", source=source)
    attempt = Attempt.of(value)
    try:
        assert attempt.name  # noqa: S101 - parsing the path is the check
    except ValueError as error:
        raise ContractError(f"{source}: {error}.") from error
    return attempt


def add_attempt(path: Path, attempt: Attempt) -> None:
    """Appends one line; first ends a last line that a crash cut off."""
    value = attempt.as_json()
    check(value, "attempts.1", source=str(path))
    cut_off = path.is_file() and path.stat().st_size > 0 and not path.read_bytes().endswith(b"\n")
    with path.open("a") as file:
        file.write(("\n" if cut_off else "") + json.dumps(value, ensure_ascii=False) + "\n")


def _cut_off(line: str) -> bool:
    """Whether a crash cut the line off; a resumed capture appends to the file, so such a line can be anywhere in it."""
    return not line.rstrip().endswith("}")
