"""Tables of the distribution of scores: rows, columns, and when many votes lie at an end."""

from dataclasses import dataclass

# if all seven scores were used alike, each end would have 14 % of the votes. A MOS within half a point of an end of a
# scale of whole points has at least half of the votes there, so this share finds all such means as well
END_SHARE = 0.25

_CONDITION = {
    "site": "site of the stimulus; empty where all sites are counted together",
    "network": "network of the stimulus",
    "stack": "stack of the clip",
    "context": "key of the context; empty where all contexts are counted together",
}

_SCORE = _CONDITION | {
    "score": "value on the scale; each value of the scale has a row, also without votes",
    "count": "votes with this score",
    "votes": "votes that the condition has",
    "share": "count / votes",
}

_SHARE = _CONDITION | {
    "n": "participants who gave the votes",
    "votes": "votes that the row counts",
    "mos": "mean opinion score; several votes of one participant are averaged first",
    "median": "median of the votes",
    "good_or_better": "share of votes that are good or better (%GoB / 100): 5 to 7 of seven points, 4 and 5 of five "
    "points; empty for other scales",
    "good_ci_low": "lower end of the 95 % interval (Wilson's score interval over participants)",
    "good_ci_high": "upper end of the same interval",
    "poor_or_worse": "share of votes that are poor or worse (%PoW / 100): 1 to 3 of seven points, 1 and 2 of five "
    "points; empty for other scales",
    "poor_ci_low": "lower end of the 95 % interval (Wilson's score interval over participants)",
    "poor_ci_high": "upper end of the same interval",
    "lowest": "share of votes with the lowest score of the scale",
    "highest": "share of votes with the highest score of the scale",
    "end_effect": "ceiling, floor or both where more than 25 % of the votes have the highest score, the lowest, or "
    "each of the two, so that the scale may not tell better or worse clips apart; else none",
}


@dataclass(frozen=True)
class ScoreRow:
    """How often one score was given in one condition (see COLUMNS)."""

    site: str | None
    network: str
    stack: str
    context: str | None
    score: int
    count: int
    votes: int
    share: float


@dataclass(frozen=True)
class ShareRow:
    """Shares of one condition (see COLUMNS)."""

    site: str | None
    network: str
    stack: str
    context: str | None
    n: int
    votes: int
    mos: float
    median: float
    good_or_better: float | None
    good_ci_low: float | None
    good_ci_high: float | None
    poor_or_worse: float | None
    poor_ci_low: float | None
    poor_ci_high: float | None
    lowest: float
    highest: float
    end_effect: str


COLUMNS = {ScoreRow: _SCORE, ShareRow: _SHARE}
