"""Errors a person can act on, and the exit statuses they map to."""

from enum import IntEnum


class Exit(IntEnum):
    """Exit statuses of every command; documented in docs/reference/exit-statuses.md."""

    OK = 0
    FAILED = 1
    USAGE = 2
    NOT_PERMITTED = 3
    BAD_INPUT = 4
    TOOL_MISSING = 5
    REFUSED = 6
    UNREACHABLE = 7
    NO_ROOM = 8
    INTERRUPTED = 130


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
