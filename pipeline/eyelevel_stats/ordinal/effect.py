"""Effect of the second stack on the latent scale of ratings, by a cumulative logit mixed model (definition E6).

The model is score ~ arm * network + (1 + arm | participant) + (1 + arm | site) + (1 | clip), with arm -1/2 or 1/2 and
networks in sum contrasts, so that the effect of arm is the mean over networks with equal weights. Intervals and p are
by Student's t with the degrees of freedom of the same definition for differences of means.
"""

from collections.abc import Sequence
from dataclasses import fields
from math import exp, log
from sys import float_info
from typing import NamedTuple

import numpy as np
from scipy import special

from eyelevel_stats.intervals import CONFIDENCE
from eyelevel_stats.ordinal.clmm import clmm
from eyelevel_stats.ordinal.estimates import Fit
from eyelevel_stats.ordinal.fit import Progress
from eyelevel_stats.ordinal.links import Floats
from eyelevel_stats.ordinal.problem import Term, intercepts, intercepts_and_slopes
from eyelevel_stats.rows.answers import LIKE_THESE, VERY_SITES, OrdinalEffect
from eyelevel_stats.samples import LEAST_PARTICIPANTS, LEAST_SITES

# of a larger logarithm the ratio is no floating-point number
LARGEST_LOG = log(float_info.max)


class OrdinalVote(NamedTuple):
    """One rating of a clip of either stack of a pair; `arm` is True where the clip shows the second stack."""

    participant: str
    site: str
    clip: str
    network: str
    arm: bool
    score: int


def arm_effect(votes: Sequence[OrdinalVote], *, progress: Progress | None = None) -> OrdinalEffect:
    """Fits the model to the votes of sites that have both stacks on a network; other votes do not count.

    Terms whose variance the votes cannot determine are not in the model: clips where each site and stack has one, and
    sites where there are fewer than 5. `progress` is called with the number and the log likelihood of each iteration.
    """
    arms: dict[tuple[str, str], set[bool]] = {}
    for vote in votes:
        arms.setdefault((vote.site, vote.network), set()).add(vote.arm)
    votes = [vote for vote in votes if len(arms[vote.site, vote.network]) == 2]
    people, sites = len({vote.participant for vote in votes}), len({vote.site for vote in votes})
    like_these = sites >= LEAST_SITES
    if len({vote.score for vote in votes}) < 2 or people < LEAST_PARTICIPANTS:
        return _row(votes, None, like_these, [_missing(votes, people)])
    terms, notes = _terms(votes, like_these=like_these)
    fit = clmm([vote.score for vote in votes], _predictors(votes, like_these=like_these), terms, progress=progress)
    return _row(votes, fit if fit.converged else None, like_these, [*fit.notes, *notes])


def _missing(votes: Sequence[OrdinalVote], people: int) -> str:
    if not votes:
        return "no site has votes of both stacks on the same network"
    if people < LEAST_PARTICIPANTS:
        return "one participant is no sample"
    return "all scores are the same"


def _terms(votes: Sequence[OrdinalVote], *, like_these: bool) -> tuple[list[Term], list[str]]:
    arm = np.array([vote.arm - 0.5 for vote in votes])
    terms = [intercepts_and_slopes("participant", [vote.participant for vote in votes], arm)]
    notes = []
    if like_these:
        terms.append(intercepts_and_slopes("site", [vote.site for vote in votes], arm))
    else:
        notes.append(f"fewer than {LEAST_SITES} sites: sites are fixed")
    places = {(vote.site, vote.arm, vote.clip) for vote in votes}
    if len(places) > len({place[:2] for place in places}):
        terms.append(intercepts("clip", [vote.clip for vote in votes]))
    else:
        notes.append("each site and stack has one clip, so that clips cannot be told from sites")
    return terms, notes


def _predictors(votes: Sequence[OrdinalVote], *, like_these: bool) -> Floats:
    """Arm first; then networks and their interaction with arm, and fixed sites, without what depends on others."""
    arm = np.array([[vote.arm - 0.5] for vote in votes])
    networks = _contrasts([vote.network for vote in votes])
    columns = [arm, networks, arm * networks]
    if not like_these:
        columns.append(_contrasts([vote.site for vote in votes]))
    whole = np.concatenate(columns, axis=1)
    chosen: list[int] = []
    known = np.ones((len(votes), 1))
    for at in range(whole.shape[1]):
        more = np.concatenate([known, whole[:, [at]]], axis=1)
        if np.linalg.matrix_rank(more) == more.shape[1]:
            chosen.append(at)
            known = more
    return whole[:, chosen]


def _contrasts(names: Sequence[str]) -> Floats:
    """A column for each name but the last: 1 for it, -1 for the last, so that the effects of all sum to 0."""
    levels, of = np.unique(np.asarray(names), return_inverse=True)
    columns: Floats = np.vstack([np.eye(len(levels) - 1), -np.ones(len(levels) - 1)])[of]
    return columns


def odds_ratio(log_odds: float | None) -> float | None:
    """None where the logarithm is unknown, or so large that the ratio is no number (scores hardly differ by arm)."""
    if log_odds is None or log_odds > LARGEST_LOG:
        return None
    return exp(log_odds)


def _row(votes: Sequence[OrdinalVote], fit: Fit | None, like_these: bool, notes: Sequence[str]) -> OrdinalEffect:
    people, sites = len({vote.participant for vote in votes}), len({vote.site for vote in votes})
    # the normal distribution, of many units, is too narrow for few: an error of few sites is itself uncertain
    freedom = (min(people, sites) if like_these else people) - 1
    sds: dict[str, float | None] = dict.fromkeys(field.name for field in fields(OrdinalEffect) if "_sd" in field.name)
    effect = se = half = None
    if fit is not None:
        effect, se = fit.coefficients[0], fit.standard_errors[0]
        half = None if se is None else float(special.stdtrit(freedom, (1 + CONFIDENCE) / 2)) * se
        for term in fit.variations:
            sds[f"{term.name}_sd"] = term.sd(0)
            if len(term.effects) > 1:
                sds[f"{term.name}_arm_sd"] = term.sd(1)
    low = None if effect is None or half is None else effect - half
    high = None if effect is None or half is None else effect + half
    return OrdinalEffect(
        effect=effect,
        se=se,
        ci_low=low,
        ci_high=high,
        odds_ratio=odds_ratio(effect),
        odds_ratio_low=odds_ratio(low),
        odds_ratio_high=odds_ratio(high),
        p_value=None if effect is None or not se else 2 * float(special.stdtr(freedom, -abs(effect) / se)),
        **sds,
        log_likelihood=None if fit is None else fit.log_likelihood,
        scope=LIKE_THESE if like_these else VERY_SITES,
        votes=len(votes),
        participants=people,
        sites=sites,
        clips=len({vote.clip for vote in votes}),
        converged=fit is not None and fit.converged,
        why="; ".join(notes),
    )
