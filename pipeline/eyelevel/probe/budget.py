"""The time budget of a probe, and its progress. Pure.

The budget of a page applies to a machine without other load (docs/explanation/motion.md).
"""

from collections.abc import Sequence

from eyelevel.motion.enough import REST_MS
from eyelevel_core.model.mask import LOADS_NEEDED, WATCHED_MS

# of a page that stops changing, and of a page that never does
REST_BUDGET_S, MOVING_BUDGET_S = 60, 150
# each film: starting sandbox and browser, loading, ending and encoding; and what is learned from it in the end
AROUND_S, LEARNING_S = 4, 2
WHOLE_S = round(WATCHED_MS / 1000) + AROUND_S
SHORT_S = round(REST_MS / 1000) + AROUND_S


def progress(still: Sequence[bool], *, filmed: bool = False) -> tuple[int, int]:
    """Returns the seconds done and the expected total, if the page goes on as in its loads so far.

    `still` has, for each load, whether nothing moved at its end; `filmed`: no more loads follow.
    """
    rests = all(still)
    usual = [WHOLE_S, SHORT_S] if rests else [WHOLE_S] * LOADS_NEEDED
    coming = [] if filmed else usual[len(still) :] or usual[-1:]
    done = sum(SHORT_S if number and all(still[: number + 1]) else WHOLE_S for number in range(len(still)))
    return done, done + sum(coming) + LEARNING_S * (len(still) + len(coming))


def budget(pages: int) -> str:
    """Returns the time budget of this number of pages, as a sentence."""
    each = f"about {REST_BUDGET_S} s for a page that stops changing, {MOVING_BUDGET_S} s for a page that never does"
    if pages == 1:
        return f"1 page to probe: {each}."
    least, most = (round(seconds * pages / 60) for seconds in (REST_BUDGET_S, MOVING_BUDGET_S))
    return f"{pages} pages to probe: {each}; {least} to {most} min."
