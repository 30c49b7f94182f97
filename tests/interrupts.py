"""Resets SIGINT to Python's default: a suite that a shell starts in the background inherits an ignored one.

Tests end programs by SIGINT, and programs inherit an ignored signal from the test process. `tests/conftest.py` calls
this; a conftest of another folder does the same.
"""

import signal
import threading


def accept_interrupts() -> None:
    """Raise KeyboardInterrupt at SIGINT, here and in every program started from here.

    Does nothing outside of the main thread, where Python may not change signal handlers.
    """
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.default_int_handler)
