"""Fitted models in depth: the ordinal effect of each hypothesis, and mappings from metrics to MOS."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields

from eyelevel_core.study.design import Hypothesis
from eyelevel_stats.agreement.clip_scores import ClipScore
from eyelevel_stats.hypotheses.claims import by_claim, ratings_about
from eyelevel_stats.observations import Rating
from eyelevel_stats.ordinal.effect import OrdinalVote, arm_effect
from eyelevel_stats.prediction.choice import Point, model_rows
from eyelevel_stats.rows.answers import OrdinalEffect, OrdinalEffectRow
from eyelevel_stats.rows.metrics import ModelRow
from eyelevel_stats.rows.words import ALL


def ordinal_rows(hypotheses: Iterable[Hypothesis], ratings: Sequence[Rating]) -> Iterator[OrdinalEffectRow]:
    """Computes a row per claim of each hypothesis about ratings."""
    for hypothesis in hypotheses:
        if hypothesis.pair is None:
            continue
        first, second = hypothesis.pair
        for network, votes in by_claim(hypothesis, ratings_about(hypothesis, ratings)):
            effect = arm_effect([
                OrdinalVote(vote.participant, vote.site, vote.clip_sha256, vote.network, vote.stack == second,
                            int(vote.score))
                for vote in votes
            ])  # fmt: skip
            values = {field.name: getattr(effect, field.name) for field in fields(OrdinalEffect)}
            yield OrdinalEffectRow(**values, hypothesis=hypothesis.key, network=network, first=first, second=second)


def mapping_rows(
    clips: Sequence[ClipScore], metrics: Mapping[str, Mapping[str, float | None]], *, scale: tuple[float, float]
) -> Iterator[ModelRow]:
    """Fits all mappings of each metric, over all networks together, then on each if there are several."""
    networks = sorted({clip.network for clip in clips})
    for name, within in [(ALL, set(networks)), *((network, {network}) for network in networks if len(networks) > 1)]:
        network_clips = [clip for clip in clips if clip.network in within]
        for metric, values in metrics.items():
            points = [
                Point(clip.site, value, clip.mos, clip.n)
                for clip in network_clips
                # the mappings take logarithms
                if (value := values.get(clip.stimulus)) is not None and value > 0
            ]
            yield from model_rows(name, metric, points, scale=scale)
