"""Finds the testbed's program."""

import os
import shutil
from pathlib import Path

from eyelevel.errors import ToolMissingError

NAME = "eyelevel-testbed"
VARIABLE = "EYELEVEL_TESTBED"
BUILT = Path(__file__).resolve().parents[2] / "testbed" / "target" / "release" / NAME


def find_testbed() -> Path:
    """The program named by EYELEVEL_TESTBED, else the one built in this repository, else one on PATH.

    Raise ToolMissingError where there is none.
    """
    named = os.environ.get(VARIABLE)
    if named:
        if not os.access(named, os.X_OK):
            raise ToolMissingError(
                f"{VARIABLE} names {named}, which is not an executable program; unset the variable or correct it."
            )
        return Path(named).resolve()
    if os.access(BUILT, os.X_OK):
        return BUILT
    on_path = shutil.which(NAME)
    if on_path is None:
        raise ToolMissingError(f"The testbed ({NAME}) is not built; run make testbed.")
    return Path(on_path)
