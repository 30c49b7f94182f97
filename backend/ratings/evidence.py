"""What a browser says of a play, held against its contract."""

import json
from collections.abc import Mapping
from typing import Any

from eyelevel_core.contracts import ContractError, check
from lib.problems import Problem

CONTRACT = "play-evidence.1"


def check_evidence(evidence: Mapping[str, Any]) -> None:
    """Raise Problem 422 with the first field that breaks the contract, e.g. `evidence.stalls[0].ms`."""
    try:
        # Python reads NaN, which compares with nothing and which no database keeps
        json.dumps(evidence, allow_nan=False)
    except ValueError:
        raise _wrong("evidence", "evidence has a number that is not finite.") from None
    try:
        check(evidence, CONTRACT, source="evidence")
    except ContractError as error:
        field = "evidence" + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.where)
        raise _wrong(field, str(error)) from None


def _wrong(field: str, message: str) -> Problem:
    return Problem(422, "invalid", message, details={"field": field})
