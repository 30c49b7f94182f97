"""Table of sensitivity d': row and columns."""

from dataclasses import dataclass

COLUMNS = {
    "network": "network of the clips",
    "n": "answers about pairs of two stacks",
    "named": "of these, answers that name a side as faster, whichever",
    "participants": "people who gave them",
    "one_take_n": "answers about pairs that show the same take on both sides, in which nothing differs",
    "one_take_named": "of these, answers that name a side: false alarms",
    "one_take_participants": "people who gave them",
    "two_takes_n": "answers about pairs of two runs of one stack; they differ a little and are not used in d_prime",
    "two_takes_named": "of these, answers that name a side",
    "unknown_takes_n": "answers about pairs of one stack that may or may not show one take; not used in d_prime",
    "d_prime": "z(hit rate) minus z(false alarm rate), rates as (count + 0.5) / (answers + 1); 0: a side is named as "
    "often where nothing differs",
    "ci_low": "lower end of the 95 % interval of d_prime: Student's t over participants, with the variance by "
    "Gourevitch and Galanter, or clustered by participant where that is greater; empty for one participant",
    "ci_high": "upper end of the same interval",
    "why": "why there is no estimate; empty where there is one",
}


@dataclass(frozen=True)
class DetectionRow:
    """Detection on one network; COLUMNS describes the fields."""

    network: str
    n: int
    named: int
    participants: int
    one_take_n: int
    one_take_named: int
    one_take_participants: int
    two_takes_n: int
    two_takes_named: int
    unknown_takes_n: int
    d_prime: float | None
    ci_low: float | None
    ci_high: float | None
    why: str | None
