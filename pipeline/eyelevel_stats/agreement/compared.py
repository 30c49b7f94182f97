"""Comparison of metrics on the same clips: the comparable metrics, their agreement with MOS, and its bootstrap."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from eyelevel_stats.agreement.clip_scores import ClipScore, Floats, Metrics
from eyelevel_stats.agreement.redrawn import Ballot, ballot, observed_correlations, redrawn_correlations
from eyelevel_stats.agreement.scope import (
    LEAST_KNOWN,
    cells,
    centred,
    in_company,
    unit,
    why_not_centred,
    why_nothing,
    with_value,
)
from eyelevel_stats.bootstrap import LEAST_PARTICIPANTS, why_no_bootstrap
from eyelevel_stats.correlation import mean_ranks, pearson_coefficient
from eyelevel_stats.hypotheses.groups import Groups
from eyelevel_stats.reasons import Reason

LEAST_METRICS = 2
WITHIN_SITES, WITHIN_NETWORKS = "site and network", "network"

Scores = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True)
class Field:
    """The clips of one network on which metrics can be compared.

    `metrics` names all metrics; `excluded` has those that are not compared, with the reason of each.
    `values` are the compared metrics', one array each in the order of `clips`; larger is better. `within` names the
    groups, `groups`, in which all values are centred; within sites, single clips of a site are excluded. `why_no_draws`
    has the reason where the participants are too few for a bootstrap.
    """

    metrics: tuple[str, ...]
    clips: tuple[ClipScore, ...]
    participants: int
    values: dict[str, Floats]
    excluded: dict[str, Reason]
    within: str
    groups: Groups
    why: Reason | None
    why_no_draws: Reason | None


def field_of(clips: Sequence[ClipScore], scores: Scores, metrics: Metrics, *, known: bool) -> Field:
    """Builds the field of these clips; `metrics` are signed so that larger is better. `why` explains an empty field.

    Metrics are compared on clips that have all of them. A metric with many gaps is excluded, because it would exclude
    clips for all others.
    """
    among = {name: with_value(clips, name, values)[0] for name, values in metrics.items()}
    somewhere = len({clip.stimulus for known_clips in among.values() for clip in known_clips})
    least = LEAST_KNOWN * somewhere
    excluded = {
        name: Reason(
            "known_for_few", {"clips": len(known_clips), "all": somewhere, "percent": round(100 * LEAST_KNOWN)}
        )
        for name, known_clips in among.items()
        if len(known_clips) < least or not known_clips
    }
    left = [name for name in metrics if name not in excluded]
    shared = tuple(clip for clip in clips if all(metrics[name].get(clip.stimulus) is not None for name in left))
    shared = shared if left else ()
    by_site = why_not_centred(shared, known=known) is None
    if by_site:
        shared = tuple(clip for clip, beside in zip(shared, in_company(shared), strict=True) if beside)
    groups = cells(shared) if by_site else Groups.by([clip.network for clip in shared])
    mos = np.array([clip.mos for clip in shared])
    values = {name: with_value(shared, name, metrics[name])[1] for name in left}
    for name in left:
        if shared and pearson_coefficient(centred(values[name], groups), centred(mos, groups)) is None:
            excluded[name] = Reason("constant")
            del values[name]
    people = len({who for clip in shared for who in scores[clip.stimulus]})
    within = WITHIN_SITES if by_site else WITHIN_NETWORKS
    units = len({unit(clip, known=known) for clip in shared})
    why = why_nothing(clips, known=known)
    if why is None and len(values) < LEAST_METRICS:
        why = Reason("few_metrics", {"metrics": len(values), "least": LEAST_METRICS})
    why = why or why_nothing(shared, known=known) or why_no_bootstrap(participants=LEAST_PARTICIPANTS, sites=units)
    no_draws = why_no_bootstrap(participants=people, sites=units)
    return Field(tuple(metrics), shared, people, values, excluded, within, groups, why, no_draws)


class Agreement:
    """theta of each compared metric, in the order of the field's values: observed, and in each draw.

    `network` has the observed ones centred within networks only; `drawn` is None where the field allows no draws.
    """

    def __init__(self, field: Field, scores: Scores, *, known: bool, seed: int, draws: int) -> None:
        votes: Ballot = ballot([scores[clip.stimulus] for clip in field.clips])
        metrics = np.array(list(field.values.values()))
        by_network = Groups.by([clip.network for clip in field.clips])
        self.theta = observed_correlations(votes, metrics, cells=field.groups)
        self.network = observed_correlations(votes, metrics, cells=by_network)
        self.drawn: Floats | None = None
        if field.why_no_draws is None:
            units = Groups.by([unit(clip, known=known) for clip in field.clips])
            rng = np.random.default_rng(seed)
            self.drawn = redrawn_correlations(votes, metrics, cells=field.groups, units=units, draws=draws, rng=rng)
        ranks = [mean_ranks(centred(values, field.groups)) for values in metrics]
        self.between = [[pearson_coefficient(one, other) or 0.0 for other in ranks] for one in ranks]
        # as for a partial correlation given the groups
        self.points = len(field.clips) - (field.groups.count - 1)
