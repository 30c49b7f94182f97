"""Judges the capture worker's results: whether a job was filmed, and whether its results can be used."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from eyelevel.errors import EyelevelError, ToolMissingError
from eyelevel.loads.inside.request import Cause, VoidError
from eyelevel_core.contracts import ContractError

VOID_STATUS = 75  # of eyelevel.loads.inside
# for starting testbed, screen and browser, and for the final queries to the browser
AROUND_S = 60


@contextmanager
def voiding() -> Iterator[None]:
    """Voids an attempt whose results are broken; a missing tool is raised unchanged, as every attempt would fail."""
    try:
        yield
    except ToolMissingError:
        raise
    except (EyelevelError, ContractError, OSError, KeyError, TypeError, ValueError) as error:
        raise VoidError(Cause.BROKEN_RESULT, f"{type(error).__name__}: {error}") from error


@voiding()
def judge(folder: Path, status: int, log: Path) -> None:
    """Raises VoidError if the worker did not film the job of this folder; `status` is its exit status."""
    if status == VOID_STATUS:
        void = json.loads((folder / "void.json").read_text())
        raise VoidError(Cause(void["cause"]), void["detail"])
    if status != 0:
        output = log.read_text(errors="replace").strip().splitlines()
        raise VoidError(Cause.PROCESS_DIED, f"status {status}: {output[-1][:300] if output else 'no output'}")
