"""Tables of sureness and replays: rows and columns."""

from dataclasses import dataclass
from typing import Literal

from eyelevel_stats.pairs.observations import Choice

Answer = Literal["decided", "none"]

COLUMNS = {
    "network": "network of the clips",
    "choice": "left, right or none",
    "answer": "decided: the answers left and right; none: no difference",
    "sureness": "1 not sure at all to 5 very sure",
    "n": "answers of this network, choice and sureness; in tables of means, answers whose value is known",
    "share": "share of n in the answers of this network and choice whose sureness is known",
    "participants": "people who gave the n answers",
    "mean": "mean over participants of each one's mean: of sureness (1 to 5), or of replays before the answer",
    "ci_low": "lower end of the 95 % interval of mean: Student's t over participants, cut at the ends of the scale; "
    "empty for one participant",
    "ci_high": "upper end of the same interval",
    "decided_mean": "mean sureness of decided answers, over the participants counted here",
    "none_mean": "mean sureness of answers none, over the same participants",
    "difference": "decided_mean minus none_mean: above 0, people are surer where they name a side",
    "difference_ci_low": "lower end of the 95 % interval of difference: Student's t of the differences within "
    "participants; empty for one participant",
    "difference_ci_high": "upper end of the same interval",
    "both": "participants who gave both a decided answer and none, with known sureness",
}


@dataclass(frozen=True)
class SurenessRow:
    """How often one sureness went with one answer on one network; COLUMNS describes the fields."""

    network: str
    choice: Choice
    sureness: int
    n: int
    share: float


@dataclass(frozen=True)
class AnswerMeanRow:
    """Mean sureness, or mean replays, of one kind of answer on one network; COLUMNS describes the fields."""

    network: str
    answer: Answer
    n: int
    participants: int
    mean: float
    ci_low: float | None
    ci_high: float | None


@dataclass(frozen=True)
class SurenessDifferenceRow:
    """Mean sureness of decided answers against none on one network; COLUMNS describes the fields."""

    network: str
    both: int
    decided_mean: float
    none_mean: float
    difference: float
    difference_ci_low: float | None
    difference_ci_high: float | None
