"""Lookup of the programs that this repository builds: the testbed and the recorder."""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from eyelevel.errors import ToolMissingError

PIPELINE = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Program:
    """A program; `variable` may name another build, `folder` is its Cargo package, and `target` its make target."""

    name: str
    variable: str
    folder: str
    target: str

    @property
    def built(self) -> Path:
        return PIPELINE / self.folder / "target" / "release" / self.name

    def find(self) -> Path:
        """Returns the program that the variable names, else the one built in this repository, else the one on PATH.

        Raises ToolMissingError if there is none.
        """
        named = os.environ.get(self.variable)
        if named:
            if not os.access(named, os.X_OK):
                raise ToolMissingError(
                    f"{self.variable} names {named}, which is not an executable program; unset the variable or "
                    "correct it."
                )
            return Path(named).resolve()
        if os.access(self.built, os.X_OK):
            return self.built
        on_path = shutil.which(self.name)
        if on_path is None:
            raise ToolMissingError(f"The {self.target} ({self.name}) is not built; run make {self.target}.")
        return Path(on_path)


TESTBED = Program("eyelevel-testbed", "EYELEVEL_TESTBED", "testbed", "testbed")
RECORDER = Program("eyelevel-recorder", "EYELEVEL_RECORDER", "recorder", "recorder")


def find_testbed() -> Path:
    """Returns the path of the testbed; raises ToolMissingError if there is none."""
    return TESTBED.find()
