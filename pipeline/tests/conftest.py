from demands import pytest_runtest_makereport, pytest_runtest_setup
from draws import settle_hypothesis

__all__ = ["pytest_runtest_makereport", "pytest_runtest_setup"]

settle_hypothesis()
