"""Mean opinion score of each clip with its noise, for comparisons with metrics."""

from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from statistics import fmean
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from eyelevel_stats.intervals import student_half_widths

Floats = NDArray[np.float64]
# metric name -> stimulus -> value; unknown is None or missing
Metrics = Mapping[str, Mapping[str, float | None]]


class ClipVote(NamedTuple):
    """One score of a clip; `site` is empty where sites are unknown."""

    participant: str
    stimulus: str
    site: str
    network: str
    score: float


class ClipScore(NamedTuple):
    """MOS of a clip over `n` participants; `variance` of their scores (divisor n - 1), None where n < 2."""

    stimulus: str
    site: str
    network: str
    n: int
    mos: float
    variance: float | None


def clip_scores(votes: Iterable[ClipVote]) -> tuple[ClipScore, ...]:
    """Computes the MOS of each stimulus, sorted by name; several votes of a participant on one count as their mean.

    Raises ValueError for a score that is not finite and for a stimulus with more than one site or network.
    """
    places, scores = own_scores(votes)
    return tuple(_clip(stimulus, *places[stimulus], list(scores[stimulus].values())) for stimulus in sorted(places))


def own_scores(votes: Iterable[ClipVote]) -> tuple[dict[str, tuple[str, str]], dict[str, dict[str, float]]]:
    """Returns site and network of each stimulus, and its mean score by each participant."""
    places: dict[str, tuple[str, str]] = {}
    first: dict[str, dict[str, float]] = {}
    several: dict[tuple[str, str], list[float]] = {}
    for participant, stimulus, site, network, score in votes:
        if not isfinite(score):
            raise ValueError(f"A score is {score}, which is not a finite number; leave unknown scores out.")
        if places.setdefault(stimulus, (site, network)) != (site, network):
            raise ValueError(f"Stimulus {stimulus} has votes of {places[stimulus]} and of {(site, network)}.")
        score_of = first.setdefault(stimulus, {})
        if participant in score_of:
            several.setdefault((stimulus, participant), [score_of[participant]]).append(score)
        else:
            score_of[participant] = score
    for (stimulus, participant), scores in several.items():
        first[stimulus][participant] = fmean(scores)
    return places, first


def score_noise(clips: Sequence[ClipScore]) -> Floats | None:
    """Computes the squared standard error of each clip's MOS: variance / n.

    A clip with one score takes the mean variance of the other clips, weighted by their degrees of freedom. None where
    no clip has two scores.
    """
    variance, _ = _variances(clips)
    return None if variance is None else variance / np.array([clip.n for clip in clips])


def score_half_widths(clips: Sequence[ClipScore]) -> Floats | None:
    """Computes half widths of the 95 % intervals of the clips' MOS, by Student's t (ITU-T P.1401, clause 7.4).

    A clip with one score takes variance and degrees of freedom of the other clips together. None where no clip has two
    scores.
    """
    variance, freedom = _variances(clips)
    if variance is None:
        return None
    sd = np.sqrt(variance)
    half = student_half_widths(sd, freedom + 1)
    # the helper divides by sqrt(freedom + 1), which is n only where the variance is the clip's own
    scaled: Floats = half * np.sqrt((freedom + 1) / np.array([clip.n for clip in clips]))
    return scaled


def _variances(clips: Sequence[ClipScore]) -> tuple[Floats | None, NDArray[np.int64]]:
    """Variance of single scores of each clip, and the degrees of freedom that it has."""
    known = [(clip.variance, clip.n - 1) for clip in clips if clip.variance is not None]
    pooled_freedom = sum(freedom for _, freedom in known)
    if not known:
        return None, np.zeros(len(clips), dtype=np.int64)
    pooled = sum(variance * freedom for variance, freedom in known) / pooled_freedom
    variance = np.array([pooled if clip.variance is None else clip.variance for clip in clips])
    freedom = np.array([pooled_freedom if clip.variance is None else clip.n - 1 for clip in clips], dtype=np.int64)
    return variance, freedom


def _clip(stimulus: str, site: str, network: str, scores: Sequence[float]) -> ClipScore:
    n, mos = len(scores), fmean(scores)
    variance = sum((score - mos) ** 2 for score in scores) / (n - 1) if n >= 2 else None
    return ClipScore(stimulus, site, network, n, mos, variance)
