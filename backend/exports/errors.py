"""Exceptions with which an attempt at an export fails."""

from exports.models import Reason


class ImpossibleError(Exception):
    """No further attempt can succeed; the message is shown on pages."""

    def __init__(self, reason: Reason, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason


class NoRoomError(Exception):
    """The disk has only its reserve left, which is for the answers of running sessions."""
