"""Table of MOS with bootstrap intervals: row and columns."""

from dataclasses import dataclass

_MEANING = {
    "network": "network of the stimulus",
    "stack": "stack of the clip",
    "participants": "people who rated the condition",
    "sites": "sites that were rated",
    "votes": "votes that the row counts; several votes of one participant on one clip are one",
    "mean": "mean of these votes, in points of the scale",
    "ci_low": "lower end of the 95 % interval for people and sites like these (percentiles of 2,000 draws, expanded "
    "for the fewer of participants and sites)",
    "ci_high": "upper end of the same interval",
    "method": "how the interval was made; no bootstrap is exact for crossed participants and sites, and this one is "
    "rather too wide (conservative)",
    "why": "the reason where there is no interval: fewer than 8 sites, or fewer than 2 participants",
}


@dataclass(frozen=True)
class ResampledRow:
    """The mean score of one network and stack with a bootstrap interval, or the reason for none (see COLUMNS)."""

    network: str
    stack: str
    participants: int
    sites: int
    votes: int
    mean: float
    ci_low: float | None
    ci_high: float | None
    method: str
    why: str | None


COLUMNS = {ResampledRow: _MEANING}
