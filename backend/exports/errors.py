"""Why an attempt at an export fails, where no other exception says so."""

from exports.models import Reason


class ImpossibleError(Exception):
    """No further attempt can succeed; the sentence is for people."""

    def __init__(self, reason: Reason, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason


class NoRoomError(Exception):
    """Only the reserve is left on the disk, which is for the answers of running sessions."""
