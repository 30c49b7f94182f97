"""Table of the side bias of comparisons: row and columns."""

from dataclasses import dataclass

_MEANING = {
    "network": "network of the pairs; all: every network together",
    "participants": "people who gave decided answers",
    "left": "answers that the left video loaded faster",
    "right": "answers that the right video loaded faster",
    "undecided": "answers of no difference; they are not part of share_left",
    "share_left": "left / (left + right); sides are drawn at random, so 0.5 is expected without a side bias",
    "effective_n": "decided answers divided by the design effect of answers of one participant",
    "ci_low": "lower end of the 95 % interval (Wilson's score interval over effective_n)",
    "ci_high": "upper end of the same interval",
    "p_value": "two-sided p against 0.5, of the score test that the interval belongs to",
}


@dataclass(frozen=True)
class SideRow:
    """Decided answers by side (see COLUMNS); share, interval and p are None without a decided answer."""

    network: str
    participants: int
    left: int
    right: int
    undecided: int
    share_left: float | None
    effective_n: float | None
    ci_low: float | None
    ci_high: float | None
    p_value: float | None


COLUMNS = {SideRow: _MEANING}
