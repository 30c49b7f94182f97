"""Agreement of participants: Krippendorff's alpha and intraclass correlations (ICC)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from eyelevel_stats.descriptive.crossing import Additive, Crossing, Floats, crossing, parts
from eyelevel_stats.observations import Rating
from eyelevel_stats.rows.trust import ReliabilityRow
from eyelevel_stats.rows.words import ALL

# ordinal scores are those of a scale with few categories, at most a slider in whole percent
MOST_VALUES = 101
Level = Literal["nominal", "ordinal", "interval"]


@dataclass(frozen=True)
class Icc:
    """Intraclass correlations after Shrout and Fleiss; the first number names the model, k the mean of k votes."""

    k: float
    icc_1_1: float | None
    icc_1_k: float | None
    icc_2_1: float | None
    icc_2_k: float | None
    icc_3_1: float | None
    icc_3_k: float | None


def reliability_rows(votes: Sequence[Rating]) -> tuple[ReliabilityRow, ...]:
    """Computes a row for all networks together, then one per network if there are several; none without votes."""
    networks = sorted({vote.network for vote in votes})
    rows = [_row(ALL, votes)] if votes else []
    if len(networks) > 1:
        rows += [_row(name, [vote for vote in votes if vote.network == name]) for name in networks]
    return tuple(rows)


def alpha(design: Crossing, level: Level = "ordinal") -> float | None:
    """Computes Krippendorff's alpha over clips as units and participants as observers; gaps are allowed.

    K. Krippendorff, Content analysis (4th edition, 2019), chapter 12, by the matrix of coincidences. None
    where no clip has two participants, where all scores that can be paired are equal, or with over 101 different ones.
    """
    paired = design.votes_of_clips()[design.clip] >= 2
    values, value = np.unique(design.score[paired], return_inverse=True)
    if not 2 <= len(values) <= MOST_VALUES:
        return None
    counts = np.zeros((len(design.clips), len(values)))
    np.add.at(counts, (design.clip[paired], value), 1)
    counts = counts[counts.sum(axis=1) > 0]
    # pairs of votes about the same clip, each clip's counted as often as it has votes
    weighted = counts / (counts.sum(axis=1, keepdims=True) - 1)
    coincidences = counts.T @ weighted - np.diag(weighted.sum(axis=0))
    each = coincidences.sum(axis=1)
    apart = _distances(values, each, level)
    expected = np.outer(each, each) / (each.sum() - 1)
    return float(1 - np.sum(coincidences * apart) / np.sum(expected * apart))


def _distances(values: Floats, each: Floats, level: Level) -> Floats:
    """Squared distance of each pair of values; `each` has how many votes have a value."""
    if level == "nominal":
        return 1 - np.eye(len(values))
    if level == "interval":
        return np.subtract.outer(values, values) ** 2
    # votes between two values, half of those that have them included
    rank = np.cumsum(each) - each / 2
    return np.subtract.outer(rank, rank) ** 2


def icc(design: Crossing) -> Icc | None:
    """Computes intraclass correlations (P. E. Shrout, J. L. Fleiss, Psychological Bulletin 86, 1979).

    The coefficients are ratios of variance components. In complete designs these follow from the mean squares, so the
    published formulas result. In others: one-way components by unweighted analysis of variance (S. R. Searle, Linear
    models, 1971, chapter 11), two-way ones by C. R. Henderson's method 3 (Biometrics 9, 1953) without interaction; k
    is the harmonic mean of the participants per clip. Components are not cut at 0, as in the paper, so a coefficient
    can be negative. None with fewer than 2 clips; single coefficients are None where the design does not identify them.
    """
    clips, people, votes = len(design.clips), len(design.people), len(design.score)
    if clips < 2:
        return None
    size = design.votes_of_clips()
    k = float(clips / np.sum(1 / size))
    about_clip = _squares(design.score - design.mos()[design.clip])
    of_clips = _squares(design.score - design.score.mean()) - about_clip
    one_way = one_way_mean = None
    if votes > clips:
        noise = about_clip / (votes - clips)
        per_clip = (votes - float(size @ size) / votes) / (clips - 1)
        between = (of_clips / (clips - 1) - noise) / per_clip
        one_way, one_way_mean = _share(between, noise), _share(between, noise / k)
    fit = Additive(design.person, design.clip)
    if people < 2 or fit.freedom < 1 or votes <= max(people, clips):
        return Icc(k, one_way, one_way_mean, None, None, None, None)
    joined = parts(design.person, design.clip)[0]
    left = _squares(fit.residuals(design.score))
    rest = left / fit.freedom
    person_mean = np.bincount(design.person, design.score, people) / design.votes_of_people()
    of_clip = (_squares(design.score - person_mean[design.person]) - left - (clips - joined) * rest) / (votes - people)
    of_person = (about_clip - left - (people - joined) * rest) / (votes - clips)
    return Icc(
        k,
        one_way,
        one_way_mean,
        _share(of_clip, of_person + rest),
        _share(of_clip, (of_person + rest) / k),
        _share(of_clip, rest),
        _share(of_clip, rest / k),
    )


def _row(network: str, votes: Sequence[Rating]) -> ReliabilityRow:
    design = crossing(
        [vote.participant for vote in votes], [vote.clip_sha256 for vote in votes], [vote.score for vote in votes]
    )
    coefficients = icc(design)
    return ReliabilityRow(
        network=network,
        clips=len(design.clips),
        participants=len(design.people),
        votes=len(design.score),
        complete="yes" if design.is_complete() else "no",
        raters_per_clip=None if coefficients is None else coefficients.k,
        alpha_ordinal=alpha(design),
        icc_1_1=None if coefficients is None else coefficients.icc_1_1,
        icc_1_k=None if coefficients is None else coefficients.icc_1_k,
        icc_2_1=None if coefficients is None else coefficients.icc_2_1,
        icc_2_k=None if coefficients is None else coefficients.icc_2_k,
        icc_3_1=None if coefficients is None else coefficients.icc_3_1,
        icc_3_k=None if coefficients is None else coefficients.icc_3_k,
    )


def _squares(values: Floats) -> float:
    return float(values @ values)


def _share(signal: float, noise: float) -> float | None:
    """None where nothing varies."""
    return signal / (signal + noise) if signal + noise > 0 else None
