"""Processes and files that a capture may have left behind."""

from pathlib import Path


def processes_about(text: str) -> list[str]:
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if text in line:
            found.append(line)
    return found


def left_by_browsers() -> set[str]:
    """What browsers, their driver and screens put into a machine's folder for temporary files."""
    patterns = ("org.chromium.*", "playwright*", "pulse-*", ".X*-lock", ".X11-unix/X*")
    return {path.name for pattern in patterns for path in Path("/tmp").glob(pattern)}  # noqa: S108
