from demands import pytest_runtest_makereport, pytest_runtest_setup
from draws import settle_hypothesis
from interrupts import accept_interrupts

__all__ = ["pytest_runtest_makereport", "pytest_runtest_setup"]

accept_interrupts()
settle_hypothesis()
