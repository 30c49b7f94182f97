"""Which of a plan's looks each opening of results is."""

from collections.abc import Sequence


def planned_numbers(openings: Sequence[int], at: Sequence[int]) -> list[int | None]:
    """Which planned look each opening of results is; None for one that the plan does not name.

    `openings` has the number of used sessions at each opening, in the order of time. The first one at or after a
    planned number of sessions is that look, and so is each later one that shows no further session.
    """
    first: dict[int, int] = {}
    found: list[int | None] = []
    for sessions in openings:
        number = sum(planned <= sessions for planned in at)
        is_planned = number > 0 and first.setdefault(number, sessions) == sessions
        found.append(number if is_planned else None)
    return found
