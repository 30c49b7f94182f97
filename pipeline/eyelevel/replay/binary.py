"""Finds the testbed's program."""

from pathlib import Path

from eyelevel.built import TESTBED


def find_testbed() -> Path:
    """Raise ToolMissingError where there is none."""
    return TESTBED.find()
