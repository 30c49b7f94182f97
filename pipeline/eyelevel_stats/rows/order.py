"""Table of effects of order: row and columns."""

from dataclasses import dataclass

_MEANING = {
    "effect": "position: change of the score per trial of the session; previous clip: change of the score per point "
    "of the MOS of the clip that the participant rated before (below 0: contrast, above 0: assimilation)",
    "participants": "people whose votes the row counts",
    "votes": "votes that the row counts; the first vote of a participant has no previous clip",
    "slope": "least-squares slope given participant and clip in its context; empty where these explain the order",
    "ci_low": "lower end of the 95 % interval (Student's t, clustered by participant)",
    "ci_high": "upper end of the same interval",
    "p_value": "two-sided p against no effect",
}


@dataclass(frozen=True)
class OrderRow:
    """One order effect (see COLUMNS); slope, interval and p are None where the design cannot tell it."""

    effect: str
    participants: int
    votes: int
    slope: float | None
    ci_low: float | None
    ci_high: float | None
    p_value: float | None


COLUMNS = {OrderRow: _MEANING}
