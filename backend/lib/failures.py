"""Log fields of an unexpected error: its class and traceback, never its message or values."""

import traceback


def failure(error: BaseException) -> dict[str, str]:
    """The `extra` argument of a log call, without the error's message, which may contain a participant's input."""
    trace = traceback.format_tb(error.__traceback__)
    return {"error": type(error).__name__, "trace": "".join(trace)}
