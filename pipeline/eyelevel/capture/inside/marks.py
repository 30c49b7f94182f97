"""Records when a run reached which step."""

from time import time


class Marks:
    """Moments by name, in milliseconds since 1970: the same clock as outside, and as frames have."""

    def __init__(self) -> None:
        self.ms: dict[str, float] = {}

    def reach(self, name: str) -> None:
        self.ms[name] = time() * 1000
