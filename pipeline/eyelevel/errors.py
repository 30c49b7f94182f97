"""Errors that a person can act on, and the exit statuses they map to."""

from enum import IntEnum
from typing import Self


class Exit(IntEnum):
    """Exit statuses of every command, each with its meaning in docs/reference/commands.md."""

    meaning: str

    OK = 0, "done"
    FAILED = 1, "failed, or the result is negative; the message gives the reason"
    USAGE = 2, "wrong use: an unknown option or choice, or a missing argument"
    NOT_PERMITTED = 3, "a right is missing: root, or namespaces"
    BAD_INPUT = 4, "a file or a value that you gave is wrong"
    TOOL_MISSING = 5, "a program is missing, or one that was started ended"
    REFUSED = 6, "refused: by the platform, because another command uses the folder, or to protect a file that exists"
    UNREACHABLE = 7, "the platform, the store or the page could not be reached"
    NO_ROOM = 8, "the disk is full, or a quota is used up; free some space, and run the same command again"
    INTERRUPTED = 130, "interrupted by Ctrl-C"

    def __new__(cls, status: int, meaning: str) -> Self:
        made = int.__new__(cls, status)
        made._value_ = status
        made.meaning = meaning
        return made


class EyelevelError(Exception):
    """One clear sentence for a person, and an exit status for the shell."""

    exit_status = Exit.FAILED


class PageFailedError(EyelevelError):
    """The page of a recording does not load, or cannot be judged; other recordings may. `why` ends a sentence."""

    def __init__(self, why: str, cure: str) -> None:
        super().__init__(f"{why[0].upper()}{why[1:]}. {cure}")
        self.why = why


class BadInputError(EyelevelError):
    """A file or value that a person gave is wrong; the sentence names it and the cure."""

    exit_status = Exit.BAD_INPUT


class ToolMissingError(EyelevelError):
    """A program this stage needs is not installed; the sentence says how to get it."""

    exit_status = Exit.TOOL_MISSING


class NotPermittedError(EyelevelError):
    """Root or another right is missing."""

    exit_status = Exit.NOT_PERMITTED


class RefusedError(EyelevelError):
    """The platform answered, and refused; the sentence is the platform's."""

    exit_status = Exit.REFUSED


class UnreachableError(EyelevelError):
    """The platform did not answer."""

    exit_status = Exit.UNREACHABLE
