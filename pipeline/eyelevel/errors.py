"""Errors that the user can act on, with their exit statuses."""

from enum import IntEnum
from typing import Self


class Exit(IntEnum):
    """Exit statuses of every command, each with its meaning in docs/reference/commands.md."""

    meaning: str

    OK = 0, "done"
    FAILED = 1, "failed, or the result is negative; the message gives the reason"
    USAGE = 2, "usage error: an unknown option or choice, or a missing argument"
    NOT_PERMITTED = 3, "a permission is missing: root, or the creation of namespaces"
    BAD_INPUT = 4, "a file or a value that you gave is wrong"
    TOOL_MISSING = 5, "a program is missing, or a program that was started ended unexpectedly"
    REFUSED = 6, "refused: by the platform, because another command uses the folder, or to protect a file that exists"
    UNREACHABLE = 7, "the platform, the store or the page could not be reached"
    NO_ROOM = 8, "the disk is full, or a quota is used up; free some space, and run the same command again"
    INTERRUPTED = 130, "interrupted by Ctrl-C"

    def __new__(cls, status: int, meaning: str) -> Self:
        member = int.__new__(cls, status)
        member._value_ = status
        member.meaning = meaning
        return member


class EyelevelError(Exception):
    """Base class of errors that the user can act on: a message, and an exit status."""

    exit_status = Exit.FAILED


class PageFailedError(EyelevelError):
    """The page of one recording does not load or cannot be checked; other recordings are not affected.

    `why` is the reason as the end of a sentence.
    """

    def __init__(self, why: str, cure: str) -> None:
        super().__init__(f"{why[0].upper()}{why[1:]}. {cure}")
        self.why = why


class BadInputError(EyelevelError):
    """A file or value from the user is wrong; the message names it and says how to correct it."""

    exit_status = Exit.BAD_INPUT


class ToolMissingError(EyelevelError):
    """A required program is not installed; the message says how to install it."""

    exit_status = Exit.TOOL_MISSING


class NotPermittedError(EyelevelError):
    """Root or another permission is missing."""

    exit_status = Exit.NOT_PERMITTED


class RefusedError(EyelevelError):
    """The platform rejected the request; the message is the platform's."""

    exit_status = Exit.REFUSED


class UnreachableError(EyelevelError):
    """The platform did not respond."""

    exit_status = Exit.UNREACHABLE
