"""The mean opinion score of each stimulus of a long table."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from eyelevel.analyse.long_table.roles import Scale
from eyelevel.analyse.long_table.scores import ScoreVotes
from eyelevel_stats.agreement.clip_scores import ClipScore
from eyelevel_stats.opinion import opinions_of_codes

COLUMNS = {
    "stimulus": "name of the stimulus in the votes",
    "site": "site of the stimulus: what stimuli share that come from one source, such as a website or a scene",
    "condition": "condition of the stimulus; empty where its votes have several",
    "n": "participants",
    "votes": "scores; several of one participant are averaged first",
    "mos": "mean opinion score over participants, in points of the scale",
    "ci_low": "lower end of the 95 % interval of mos (Student's t over participants, cut at the ends of the scale); "
    "empty where n is 1",
    "ci_high": "upper end of the same interval",
    "sd": "standard deviation between participants (divisor n - 1), in points; empty where n is 1",
}
_PARTS = re.compile(r"(\d+)")


@dataclass(frozen=True)
class StimulusRow:
    """MOS of one stimulus; site and condition are None where unknown, sd and interval (95 %) where n < 2."""

    stimulus: str
    site: str | None
    condition: str | None
    n: int
    votes: int
    mos: float
    ci_low: float | None
    ci_high: float | None
    sd: float | None


def stimulus_rows(votes: ScoreVotes, scale: Scale) -> tuple[StimulusRow, ...]:
    """A row per stimulus with a vote, sorted by name; figures within names are compared as figures."""
    found = opinions_of_codes(
        votes.stimulus,
        votes.person,
        votes.score,
        groups=len(votes.stimuli),
        people=len(votes.participants),
        scale=(scale.low, scale.high),
    )
    return tuple(
        StimulusRow(
            stimulus=votes.stimuli[place],
            site=None if votes.sites is None else votes.sites[place],
            condition=None if votes.conditions is None else votes.conditions[place],
            n=own.n,
            votes=own.votes,
            mos=own.mos,
            ci_low=own.ci_low,
            ci_high=own.ci_high,
            sd=own.sd,
        )
        for place, own in sorted(enumerate(found), key=lambda item: natural(votes.stimuli[item[0]]))
        if own is not None
    )


def natural(name: str) -> list[tuple[int, int, str]]:
    """A key by which clip 2 comes before clip 10."""
    return [(0, int(part), part) if part.isdecimal() else (1, 0, part) for part in _PARTS.split(name) if part]


def clips_of(rows: Sequence[StimulusRow]) -> tuple[ClipScore, ...]:
    """The rows as metrics are compared with; all stimuli belong to one network."""
    return tuple(
        ClipScore(row.stimulus, row.site or "", "", row.n, row.mos, None if row.sd is None else row.sd**2)
        for row in rows
    )
