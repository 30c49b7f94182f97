"""Planned votes of a hypothesis as arrays: groups, arms, weights and claims."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from eyelevel_core.study.design import Hypothesis
from eyelevel_stats.hypotheses.claims import arm_vote, by_claim, choice, comparisons_about, ratings_about
from eyelevel_stats.hypotheses.estimand import Contrast, choice_contrast, rating_contrast
from eyelevel_stats.hypotheses.groups import Floats, Groups
from eyelevel_stats.observations import Comparison, Rating
from eyelevel_stats.rows.words import POOLED

Place = tuple[str, str, str]


@dataclass(frozen=True)
class Claim:
    """A statement about one network, or about all together (`pooled`); `rows` are the places of its votes."""

    network: str
    rows: NDArray[np.intp]
    contrast: Contrast


@dataclass(frozen=True)
class Asked:
    """Votes as groups; `arm` is -1/2 or 1/2 for ratings of either stack, and 1 for comparisons.

    A place is a site, a network and a context. `weights` give each site and network the same, in it each context the
    same, and in that each clip of an arm the same; those of an arm sum to 1. Claims whose votes cannot tell the stacks
    apart are missing, and counted in `unknown`.
    """

    people: Groups
    sites: Groups
    places: Groups
    clips: Groups
    arm: Floats
    weights: Floats
    claims: tuple[Claim, ...]
    unknown: int


def asked_about(hypothesis: Hypothesis, ratings: Sequence[Rating], comparisons: Sequence[Comparison]) -> Asked | None:
    """The planned votes of a hypothesis; their answers are ignored. None without any.

    Comparisons of a site on a network are about one clip: they do not name their clips.
    """
    rated, compared = ratings_about(hypothesis, ratings), comparisons_about(hypothesis, comparisons)
    if rated:
        votes = [arm_vote(hypothesis, vote) for vote in rated]
        places = [(vote.site, vote.network, vote.context) for vote in votes]
        arm = [0.5 if vote.second else -0.5 for vote in votes]
        contrasts = [
            (network, rating_contrast([arm_vote(hypothesis, vote) for vote in claim_votes]))
            for network, claim_votes in by_claim(hypothesis, rated)
        ]
        return _asked(
            [vote.participant for vote in votes], places, [vote.clip_sha256 for vote in rated], arm, contrasts
        )
    if compared:
        places = [(vote.site, vote.network, vote.context) for vote in compared]
        contrasts = [
            (network, choice_contrast([choice(hypothesis, vote) for vote in claim_votes]))
            for network, claim_votes in by_claim(hypothesis, compared)
        ]
        clips = [place[:2] for place in places]
        return _asked([vote.participant for vote in compared], places, clips, [1.0] * len(places), contrasts)
    return None


def _asked(
    people: Sequence[str],
    places: Sequence[Place],
    clips: Sequence[Hashable],
    arm: Sequence[float],
    contrasts: Sequence[tuple[str, Contrast | None]],
) -> Asked:
    levels = [
        Groups.by([(side, place[:2]) for side, place in zip(arm, places, strict=True)]),
        Groups.by(list(zip(arm, places, strict=True))),
        Groups.by(list(zip(arm, places, clips, strict=True))),
    ]
    networks = np.array([place[1] for place in places])
    return Asked(
        people=Groups.by(people),
        sites=Groups.by([place[0] for place in places]),
        places=Groups.by(places),
        clips=Groups.by(clips),
        arm=np.array(arm),
        weights=_nested(Groups.by(arm), levels),
        claims=tuple(
            Claim(network, np.flatnonzero((networks == network) | (network == POOLED)), contrast)
            for network, contrast in contrasts
            if contrast is not None
        ),
        unknown=sum(contrast is None for _, contrast in contrasts),
    )


def _nested(outer: Groups, levels: Sequence[Groups]) -> Floats:
    """Weights of votes: at each level, the groups in one group of the level above weigh the same."""
    weights = np.ones(len(outer.of))
    for inner in levels:
        first = np.unique(inner.of, return_index=True)[1]
        weights /= np.bincount(outer.of[first], minlength=outer.count)[outer.of]
        outer = inner
    nested: Floats = weights / np.bincount(outer.of)[outer.of]
    return nested
