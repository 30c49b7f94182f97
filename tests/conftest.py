import signal

from demands import pytest_runtest_makereport, pytest_runtest_setup

__all__ = ["pytest_runtest_makereport", "pytest_runtest_setup"]

# a suite that a shell starts in the background ignores SIGINT, and so would every program that a test starts
signal.signal(signal.SIGINT, signal.default_int_handler)
