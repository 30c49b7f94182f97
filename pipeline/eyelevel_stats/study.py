"""The results of a study: the same tables on the platform, in an export, and by `eyelevel analyse`."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from eyelevel_core.model.metrics import KEYS, METRIC_OF, MetricValues, complete
from eyelevel_core.study.design import Plan
from eyelevel_kinds.rate import ENDS
from eyelevel_stats.agreement.scope import why_nothing
from eyelevel_stats.arranged import Arranged
from eyelevel_stats.correlation import correlate
from eyelevel_stats.hypotheses.answer import Answers, answers
from eyelevel_stats.hypotheses.in_si import ClipSi
from eyelevel_stats.hypotheses.reference import Reference
from eyelevel_stats.identical import IdenticalVote, identical_answers, identical_rows
from eyelevel_stats.layouts import Laid, layout_rows
from eyelevel_stats.observations import Comparison, Rating, Ratings
from eyelevel_stats.pairs.observations import PairVote
from eyelevel_stats.preference import Preference, Preferred, preferences
from eyelevel_stats.repeats import Repeat, repeat_rows
from eyelevel_stats.rows.hypotheses import EffectRow, HypothesisRow, LookRow
from eyelevel_stats.rows.study import (
    ComparisonRow,
    CorrelationRow,
    IdenticalAnswers,
    IdenticalRow,
    LayoutRow,
    MosRow,
    PointRow,
    RepeatRow,
    ValueRow,
)
from eyelevel_stats.sequential.looks import level_at_end
from eyelevel_stats.values import Placed, value_rows

ALIKE = "the metric or the MOS is the same for all clips"


@dataclass(frozen=True)
class Results:
    """All tables of a study, each sorted by its leading columns; hypotheses and effects in the plan's order."""

    hypotheses: tuple[HypothesisRow, ...]
    effects: tuple[EffectRow, ...]
    mos: tuple[MosRow, ...]
    comparisons: tuple[ComparisonRow, ...]
    correlations: tuple[CorrelationRow, ...]
    points: tuple[PointRow, ...]
    values: tuple[ValueRow, ...]
    identical: tuple[IdenticalRow, ...]
    repeats: tuple[RepeatRow, ...]
    layouts: tuple[LayoutRow, ...]
    # all identical pairs together; None without any
    identical_all: IdenticalAnswers | None
    # the reached looks of the plan, and last the one over all votes; empty if the plan names none
    looks: tuple[LookRow, ...] = ()


def study_results(
    ratings: Ratings,
    comparisons: Sequence[Comparison],
    metrics: Mapping[str, MetricValues],
    *,
    scale: tuple[float, float] = ENDS,
    identical: Sequence[IdenticalVote] = (),
    repeats: Iterable[Repeat] = (),
    placed: Iterable[Placed] = (),
    laid: Iterable[Laid] = (),
) -> Results:
    """Computes every table of closed form from the votes of one study and the metrics of its clips (by digest).

    A missing clip has unknown metrics. Scores are on the `scale`, whose ends cut the intervals.

    The order of the votes does not matter: they are sorted first, so that the same votes give the same floats.
    """
    votes = Arranged(ratings)
    points, votes_of_clip = points_of(votes, metrics, scale=scale)
    return Results(
        hypotheses=(),
        effects=(),
        mos=_mos(votes, scale),
        comparisons=_comparisons(comparisons),
        correlations=correlations(points, votes_of_clip),
        points=points,
        values=value_rows(placed),
        identical=identical_rows(identical),
        repeats=repeat_rows(repeats),
        layouts=layout_rows(laid),
        identical_all=identical_answers(identical),
    )


def plan_answers(
    plan: Plan,
    ratings: Sequence[Rating],
    comparisons: Sequence[Comparison],
    points: Sequence[PointRow],
    *,
    alpha: float,
    planned: int | None,
    pair_votes: Sequence[PairVote],
) -> Answers:
    """Answers the plan's hypotheses; `points` are those of all ratings, `planned` the sessions of the plan."""
    sessions = {vote.participant for vote in ratings} | {vote.participant for vote in comparisons}
    reference = Reference(
        clips=[ClipSi(point.site, point.network, point.metrics["si_ms"], point.mos, point.n) for point in points],
        comparisons=pair_votes,
        sessions=len(sessions),
        planned=planned,
        power=plan.power,
        level=level_at_end(plan),
    )
    return answers(plan.hypotheses, sorted(ratings), sorted(comparisons), alpha=alpha, reference=reference)


def _mos(votes: Arranged, scale: tuple[float, float]) -> tuple[MosRow, ...]:
    return tuple(
        MosRow(*key, n=opinion.n, mos=opinion.mos, ci_low=opinion.ci_low, ci_high=opinion.ci_high, sd=opinion.sd)
        for key, opinion in votes.opinions("context", scale=scale).items()
    )


def points_of(
    votes: Arranged, metrics: Mapping[str, MetricValues], *, scale: tuple[float, float] = ENDS
) -> tuple[tuple[PointRow, ...], dict[str, int]]:
    """Computes the rows of all rated clips, and the number of votes of each clip."""
    opinions = votes.opinions("clip_sha256", scale=scale)
    points = tuple(
        PointRow(
            *(clip, site, network, stack, opinion.n, opinion.mos),
            metrics=complete(metrics.get(clip, {})),
            ci_low=opinion.ci_low,
            ci_high=opinion.ci_high,
        )
        for (site, network, stack, clip), opinion in opinions.items()
    )
    return points, {clip: opinion.votes for (_, _, _, clip), opinion in opinions.items()}


def correlations(points: Sequence[PointRow], votes_of_clip: Mapping[str, int]) -> tuple[CorrelationRow, ...]:
    by_network: defaultdict[str, list[PointRow]] = defaultdict(list)
    for point in points:
        by_network[point.network].append(point)
    return tuple(
        _correlation(network, metric, by_network[network], votes_of_clip)
        for network in sorted(by_network)
        for metric in KEYS
        if METRIC_OF[metric].group == "main" or _known(metric, by_network[network])
    )


def _known(metric: str, points: Sequence[PointRow]) -> bool:
    """Whether any clip has the metric; older batches have only the main metrics."""
    return any(point.metrics[METRIC_OF[metric].field] is not None for point in points)


def _correlation(
    network: str, metric: str, points: Sequence[PointRow], votes_of_clip: Mapping[str, int]
) -> CorrelationRow:
    known = [(point, value) for point in points if (value := point.metrics[METRIC_OF[metric].field]) is not None]
    votes = sum(votes_of_clip[point.clip_sha256] for point, _ in known)
    few = why_nothing([point for point, _ in known], known=True)
    if few is not None:
        return CorrelationRow(network, metric, len(known), votes, None, None, None, None, None, str(few))
    correlation = correlate([point.mos for point, _ in known], [value for _, value in known])
    return CorrelationRow(
        network=network,
        metric=metric,
        clips=correlation.n,
        votes=votes,
        pearson=correlation.pearson,
        spearman=correlation.spearman,
        pearson_ci_low=correlation.pearson_ci_low,
        pearson_ci_high=correlation.pearson_ci_high,
        p_value=correlation.p_value,
        why=ALIKE if correlation.pearson is None else None,
    )


def _comparisons(votes: Iterable[Comparison]) -> tuple[ComparisonRow, ...]:
    return comparison_rows(preferences((_pair(vote), vote.participant, _preferred(vote)) for vote in votes))


def comparison_rows(preferences: Mapping[tuple[str, str, str, str, str], Preference]) -> tuple[ComparisonRow, ...]:
    """Builds a row per site, network, two stacks and context, in their order."""
    return tuple(
        ComparisonRow(
            *key,
            n=preference.n,
            prefer_a=preference.prefer_a,
            prefer_b=preference.prefer_b,
            no_difference=preference.no_difference,
            share_a=preference.share_a,
            ci_low=preference.ci_low,
            ci_high=preference.ci_high,
        )
        for key, preference in sorted(preferences.items(), key=lambda item: item[0])
    )


def _pair(vote: Comparison) -> tuple[str, str, str, str, str]:
    """Returns the key of a pair, which is shown in both orders; `a` is the stack whose name sorts first."""
    a, b = sorted((vote.left_stack, vote.right_stack))
    return vote.site, vote.network, a, b, vote.context


def _preferred(vote: Comparison) -> Preferred:
    if vote.choice == "none":
        return "none"
    a_is_left = vote.left_stack <= vote.right_stack
    return "a" if (vote.choice == "left") == a_is_left else "b"
