"""Natural sort order of names."""

import re

_PARTS = re.compile(r"(\d+)")


def natural(name: str) -> list[tuple[int, int, str]]:
    """Returns a sort key by which clip 2 comes before clip 10."""
    return [(0, int(part), part) if part.isdecimal() else (1, 0, part) for part in _PARTS.split(name) if part]
