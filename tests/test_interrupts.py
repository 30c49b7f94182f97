"""Tests that programs started by a suite in the background react to SIGINT."""

import subprocess
import sys
from pathlib import Path

# prints whether a program that is started from here ignores SIGINT
CHILD = "import signal; print(signal.getsignal(signal.SIGINT) is signal.SIG_IGN)"
BACKGROUND = f"""
import signal, subprocess, sys
signal.signal(signal.SIGINT, signal.SIG_IGN)
{{reset}}
subprocess.run([sys.executable, "-c", {CHILD!r}], check=True)
"""
RESET = "from interrupts import accept_interrupts; accept_interrupts()"


def ignores(reset: str) -> str:
    command = [sys.executable, "-c", BACKGROUND.format(reset=reset)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(__file__).parent)
    return done.stdout.strip()


def test_programs_started_after_the_reset_can_be_interrupted() -> None:
    assert ignores("") == "True"
    assert ignores(RESET) == "False"
