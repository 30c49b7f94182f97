"""Browsertime, the peer of several benches, in an environment of its own beside its lock files."""

import shutil
import subprocess
import sys
from pathlib import Path

HOME = Path(__file__).with_name("browsertime")
PYTHON = HOME / ".venv" / "bin" / "python"
SCRIPT = HOME / "node_modules" / "browsertime" / "visualmetrics" / "visualmetrics-portable.py"
PROGRAM = HOME / "node_modules" / "browsertime" / "bin" / "browsertime.js"


def install() -> None:
    """Get what the lock files name, once. Browsertime's install scripts would download browsers; none is run."""
    if shutil.which("npm") is None:
        raise SystemExit("This bench needs npm to install Browsertime.")
    if not PROGRAM.exists():
        _run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", str(HOME))
    ready = HOME / ".venv" / ".installed"
    if not ready.exists():
        _run(sys.executable, "-m", "venv", str(HOME / ".venv"))
        lock = str(HOME / "requirements.lock")
        _run(
            str(PYTHON),
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "--require-hashes",
            "-r",
            lock,
        )
        ready.touch()


def chromedriver() -> str:
    found = shutil.which("chromedriver")
    if found is None:
        raise SystemExit("Browsertime needs chromedriver; get it by: apt-get install chromium-driver")
    return found


def _run(*command: str) -> None:
    done = subprocess.run(command, stdout=sys.stderr, check=False)
    if done.returncode != 0:
        raise SystemExit(f"Browsertime could not be installed: {command[0]} ended with status {done.returncode}.")
