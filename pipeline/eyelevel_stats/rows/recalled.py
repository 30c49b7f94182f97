"""Tables of the statistics of the 2019 study, as recalled: rows and columns."""

from dataclasses import dataclass

COLUMNS = {
    "network": "network of the clips",
    "metric": "metric of the very clip that a vote is about",
    "votes": "votes whose clip has the metric; in the analysis of variance, votes about these stacks",
    "pearson": "Pearson's coefficient of score and metric over single votes; empty where it is not defined",
    "ci_low": "lower end of its 95 % interval by Fisher's z, which takes votes as independent",
    "ci_high": "upper end of the same interval",
    "spearman": "Spearman's coefficient over single votes",
    "stacks": "stacks that are compared, each with 2 votes or more",
    "f": "F of the one-way analysis of variance of scores by stack; empty where it is not defined",
    "freedom_between": "degrees of freedom between stacks: stacks - 1",
    "freedom_within": "degrees of freedom within stacks: votes - stacks",
    "p_value": "p of Pearson's coefficient against none, or of F; takes votes as independent, which makes it too small",
    "source": "recalled: the method is the 2019 paper's by memory, not by its text",
}


@dataclass(frozen=True)
class VoteCorrelationRow:
    """Scores against one metric on one network, vote by vote; COLUMNS describes the fields."""

    network: str
    metric: str
    votes: int
    pearson: float | None
    ci_low: float | None
    ci_high: float | None
    p_value: float | None
    spearman: float | None
    source: str


@dataclass(frozen=True)
class ScoreAnovaRow:
    """The analysis of variance of scores by stack on one network; COLUMNS describes the fields."""

    network: str
    stacks: str
    votes: int
    f: float | None
    freedom_between: int
    freedom_within: int
    p_value: float | None
    source: str
