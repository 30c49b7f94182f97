"""Errors of the API: a code, a message for people, and a retry flag for programs, in one JSON shape."""

from collections.abc import Mapping


class Problem(Exception):  # noqa: N818 - the term of RFC 9457 for an API's error response
    """An error that the API returns instead of a result.

    `message` says what failed (value found and expected), where, and what to do now. `retry`: the same call may
    succeed later.
    """

    def __init__(
        self, status: int, code: str, message: str, *, retry: bool = False, details: Mapping[str, object] | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.retry = retry
        self.details = details or {}

    def as_json(self) -> dict[str, object]:
        error = {"code": self.code, "message": self.message, "retry": self.retry, "details": self.details}
        return {"error": error}


def not_found(what: str) -> Problem:
    return Problem(404, "not_found", f"There is no {what}; check the address.")
