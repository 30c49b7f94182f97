"""What a log says of an unexpected error: its class and where it came from, never its message or its values."""

import traceback


def failure(error: BaseException) -> dict[str, str]:
    """For `extra` of a log call; the message may hold what a participant sent."""
    trace = traceback.format_tb(error.__traceback__)
    return {"error": type(error).__name__, "trace": "".join(trace)}
