"""Reads the access table who_may_what.txt."""

from pathlib import Path

FILE = Path(__file__).parents[1] / "config" / "tests" / "who_may_what.txt"
LINES = [line for line in FILE.read_text().splitlines() if line.strip() and not line.startswith("#")]
ACTORS = LINES[0].split()
# paths outside the API, which are missing in its description
BESIDE = {("GET", "/clips/{clip_token}"), ("GET", "/django-admin/"), ("GET", "/")}


def rows() -> dict[tuple[str, str], dict[str, int]]:
    """`{(method, path): {actor: status}}`; ValueError if a row has too few or too many statuses."""
    table = {}
    for line in LINES[1:]:
        method, path, *statuses = line.split()
        table[method, path] = dict(zip(ACTORS, map(int, statuses), strict=True))
    return table
