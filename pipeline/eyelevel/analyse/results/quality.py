"""Quality of votes: counts, repetitions, votes at the ends of the scale, and agreement of participants."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np

from eyelevel_stats.agreement.clip_scores import ClipScore
from eyelevel_stats.participants import MIN_STIMULI, ParticipantRow


@dataclass(frozen=True)
class Spread:
    """The minimum, the median and the maximum of some counts."""

    least: int
    median: float
    most: int


@dataclass(frozen=True)
class Quality:
    """Figures about all votes; shares are fractions.

    `repeated` are votes of a participant on a stimulus beyond their first, `constant` counts participants with at least
    10 stimuli who gave all of them the same score, `against` those whose scores run against the others' means.
    `agreement` is the median of the participants' correlations, or None if no correlation is known.
    """

    repeated: int
    per_participant: Spread
    per_stimulus: Spread
    at_low_end: float
    at_high_end: float
    constant: int
    against: int
    agreement: float | None


def quality(
    scores: Sequence[float],
    clips: Sequence[ClipScore],
    participants: Sequence[ParticipantRow],
    scale: tuple[float, float],
) -> Quality:
    """Computes the figures from all votes, the scores of the clips, and the participants."""
    known = [row.correlation for row in participants if row.correlation is not None]
    low, high = (float(np.mean(np.asarray(scores) == end)) for end in scale)
    return Quality(
        repeated=len(scores) - sum(clip.n for clip in clips),
        per_participant=_spread([row.votes for row in participants]),
        per_stimulus=_spread([clip.n for clip in clips]),
        at_low_end=low,
        at_high_end=high,
        constant=sum(row.stimuli >= MIN_STIMULI and row.sd == 0 for row in participants),
        against=sum(correlation < 0 for correlation in known),
        agreement=median(known) if known else None,
    )


def _spread(counts: Sequence[int]) -> Spread:
    return Spread(min(counts), median(counts), max(counts))
