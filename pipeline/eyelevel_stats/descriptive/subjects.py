"""Models of participants' bias and inconsistency: maximum likelihood (ITU-T P.910 annex E) and ZREC.

Both are sensitivity analyses beside the MOS. No participant is excluded by a model.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from eyelevel_stats.descriptive.crossing import Crossing, Floats, crossing, parts
from eyelevel_stats.observations import Rating
from eyelevel_stats.rows.trust import SubjectClipRow, SubjectRow

# of a whole-number scale: the standard deviation of rounding to whole points. A smaller inconsistency is not visible in
# whole scores, and without a bound the likelihood has no maximum (it grows where the fit meets one participant)
LEAST_INCONSISTENCY = 1 / np.sqrt(12)
# with n votes the standard deviation has a relative error of about 1 / sqrt(2 (n - 1)): 35 % for 5
LEAST_VOTES = 5
CONVERGED = 1e-10
MOST_STEPS = 5000


@dataclass(frozen=True)
class SubjectModels:
    """Rows per clip and per participant, each in the order of names; `why` gives the reason where ML is unknown."""

    clips: tuple[SubjectClipRow, ...]
    participants: tuple[SubjectRow, ...]
    why: str | None


@dataclass(frozen=True)
class Likelihood:
    """Quality per clip, bias and inconsistency per participant, in points; biases have the mean 0."""

    quality: Floats
    bias: Floats
    inconsistency: Floats


@dataclass(frozen=True)
class Zrec:
    """Quality per clip in points; bias and inconsistency per participant in z-scores, NaN where unknown."""

    quality: Floats
    bias: Floats
    inconsistency: Floats


def subject_models(votes: Sequence[Rating]) -> SubjectModels:
    """Fits both models to all votes; several votes of one participant on one clip are averaged first."""
    design = crossing(
        [vote.participant for vote in votes], [vote.clip_sha256 for vote in votes], [vote.score for vote in votes]
    )
    fitted = maximum_likelihood(design)
    robust = zrec(design)
    place = {vote.clip_sha256: (vote.site, vote.network, vote.stack) for vote in votes}
    known = fitted if isinstance(fitted, Likelihood) else None
    clips = tuple(
        SubjectClipRow(
            clip, *place[clip], int(n), float(mos), None if known is None else float(known.quality[i]), float(z)
        )
        for i, (clip, n, mos, z) in enumerate(
            zip(design.clips, design.votes_of_clips(), design.mos(), robust.quality, strict=True)
        )
    )
    people = tuple(
        SubjectRow(
            participant=name,
            votes=int(n),
            bias=None if known is None else float(known.bias[i]),
            inconsistency=None if known is None else float(known.inconsistency[i]),
            zrec_bias=_known(robust.bias[i]),
            zrec_inconsistency=_known(robust.inconsistency[i]),
        )
        for i, (name, n) in enumerate(zip(design.people, design.votes_of_people(), strict=True))
    )
    return SubjectModels(clips, people, fitted if isinstance(fitted, str) else None)


def maximum_likelihood(design: Crossing) -> Likelihood | str:
    """Fits by maximum likelihood: score = quality of the clip + bias + noise with the participant's standard deviation.

    ITU-T P.910 annex E; Z. Li, C. G. Bampis, L. Krasula, L. Janowski, I. Katsavounidis, A simple model for subject
    behavior in subjective experiments (Electronic Imaging, HVEI 2020), solved by alternating projection: bias,
    inconsistency and quality are updated in turn, votes weighted by 1 / inconsistency squared, until no quality moves
    by more than 1e-10 points. Inconsistencies are kept at LEAST_INCONSISTENCY or more.

    Return the reason as a sentence where the model has no answer: the design is not connected (quality and bias of the
    parts cannot be compared), or the iteration does not converge.
    """
    count = parts(design.person, design.clip)[0]
    if count != 1:
        return "there are no votes" if count == 0 else f"the design has {count} parts without a common participant"
    n = design.votes_of_people()
    quality = design.mos()
    for _ in range(MOST_STEPS):
        bias = _sums(design.score - quality[design.clip], design.person, n) / n
        bias -= bias.mean()
        rest = design.score - quality[design.clip] - bias[design.person]
        inconsistency = np.maximum(np.sqrt(_sums(rest**2, design.person, n) / n), LEAST_INCONSISTENCY)
        weight = inconsistency[design.person] ** -2
        total = np.bincount(design.clip, weight, len(quality))
        better = np.bincount(design.clip, weight * (design.score - bias[design.person]), len(quality)) / total
        moved = float(np.abs(better - quality).max())
        quality = better
        if moved < CONVERGED:
            return Likelihood(quality, bias, inconsistency)
    return f"the estimates still moved by {moved:.2g} points after {MOST_STEPS} steps"


def zrec(design: Crossing) -> Zrec:
    """Computes ZREC (J. Zhu, A. Ak, P. Le Callet, S. Sethuraman, K. Rahul, IEEE ICIP 2023).

    Scores become z-scores per clip (standard deviation with divisor n). Bias and inconsistency of a
    participant are mean and standard deviation of the z-scores. Quality is the mean of (score - bias x the clip's
    standard deviation), weighted by 1 / inconsistency squared.

    The paper has complete designs. Here clips without a spread have no z-scores and nothing is subtracted from their
    scores; participants whose inconsistency is 0 or unknown (under LEAST_VOTES z-scores) have the median's weight.
    """
    mos, size = design.mos(), design.votes_of_clips()
    sd = np.sqrt(np.bincount(design.clip, (design.score - mos[design.clip]) ** 2, len(mos)) / np.maximum(size, 1))
    spread = sd[design.clip] > 0
    person, clip = design.person[spread], design.clip[spread]
    z = (design.score[spread] - mos[clip]) / sd[clip]
    n = np.bincount(person, minlength=len(design.people))
    bias = np.where(n > 0, _sums(z, person, n) / np.maximum(n, 1), np.nan)
    variance = _sums((z - bias[person]) ** 2, person, n) / np.maximum(n, 1)
    inconsistency = np.where(n >= LEAST_VOTES, np.sqrt(variance), np.nan)
    usable = inconsistency > 0
    usual = float(np.median(inconsistency[usable])) if usable.any() else 1.0
    weight = np.where(usable, inconsistency, usual)[design.person] ** -2
    corrected = design.score - np.nan_to_num(bias)[design.person] * sd[design.clip]
    total = np.bincount(design.clip, weight, len(mos))
    return Zrec(np.bincount(design.clip, weight * corrected, len(mos)) / total, bias, inconsistency)


def _sums(values: Floats, person: NDArray[np.intp], n: NDArray[np.intp]) -> Floats:
    return np.bincount(person, values, len(n)).astype(np.float64, copy=False)


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
