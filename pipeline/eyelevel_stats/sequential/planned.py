"""Assignment of openings of results to a plan's looks."""

from collections.abc import Sequence


def planned_numbers(openings: Sequence[int], at: Sequence[int]) -> list[int | None]:
    """Returns the planned look of each opening of results; None for an opening that is not planned.

    `openings` has the number of used sessions at each opening, in the order of time. The first one at or after a
    planned number of sessions is that look, and so is each later one with the same sessions.
    """
    first: dict[int, int] = {}
    numbers: list[int | None] = []
    for sessions in openings:
        number = sum(planned <= sessions for planned in at)
        is_planned = number > 0 and first.setdefault(number, sessions) == sessions
        numbers.append(number if is_planned else None)
    return numbers
