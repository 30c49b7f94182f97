"""The statistics of the 2019 user study, as recalled, because the paper was not available.

J. Rüth, K. Wolsing, K. Wehrle and O. Hohlfeld, Perceiving QUIC: Do Users Notice or Even Care?, CoNEXT 2019. From
memory, it correlated single votes with metrics, and compared stacks within a network by one-way analyses of variance of
scores. Both treat votes as independent, although people vote several times and on the same sites, so p is too small.
They are for comparison with that paper only; the hypotheses' effects account for participants and sites.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from scipy import stats

from eyelevel_core.model.metrics import KEYS, METRIC_OF, MetricValues
from eyelevel_stats.arms.anova import MIN_RUNS, spread
from eyelevel_stats.correlation import correlate
from eyelevel_stats.observations import Rating
from eyelevel_stats.rows.recalled import ScoreAnovaRow, VoteCorrelationRow

# how certain it is that these methods are the paper's
RECALLED = "recalled"


def vote_correlation_rows(
    ratings: Iterable[Rating], metrics: Mapping[str, MetricValues]
) -> tuple[VoteCorrelationRow, ...]:
    """Computes a row per network and metric that any of its clips has; `metrics` by the clip's digest."""
    by_network = _by_network(ratings)
    return tuple(
        _correlation(network, metric, known)
        for network, votes in by_network.items()
        for metric in KEYS
        if (known := _known(votes, metrics, METRIC_OF[metric].field))
    )


def score_anova_rows(ratings: Iterable[Rating]) -> tuple[ScoreAnovaRow, ...]:
    """Computes a row per network on which two stacks have 2 votes or more, sorted."""
    rows = []
    for network, votes in _by_network(ratings).items():
        scores: defaultdict[str, list[float]] = defaultdict(list)
        for vote in votes:
            scores[vote.stack].append(vote.score)
        enough = {
            stack: stack_scores for stack, stack_scores in sorted(scores.items()) if len(stack_scores) >= MIN_RUNS
        }
        if len(enough) > 1:
            rows.append(_anova(network, enough))
    return tuple(rows)


def _by_network(ratings: Iterable[Rating]) -> dict[str, list[Rating]]:
    """Groups the votes by network, sorted, so that the same votes give the same floats."""
    votes_of: dict[str, list[Rating]] = {}
    for vote in sorted(ratings):
        votes_of.setdefault(vote.network, []).append(vote)
    return dict(sorted(votes_of.items()))


def _known(votes: Sequence[Rating], metrics: Mapping[str, MetricValues], field: str) -> list[tuple[float, float]]:
    """Returns the scores of votes whose clip has the metric, with its values."""
    known = []
    for vote in votes:
        value = metrics.get(vote.clip_sha256, {}).get(field)
        if value is not None:
            known.append((vote.score, float(value)))
    return known


def _correlation(network: str, metric: str, known: Sequence[tuple[float, float]]) -> VoteCorrelationRow:
    correlation = correlate([score for score, _ in known], [value for _, value in known])
    return VoteCorrelationRow(
        network=network,
        metric=metric,
        votes=correlation.n,
        pearson=correlation.pearson,
        ci_low=correlation.pearson_ci_low,
        ci_high=correlation.pearson_ci_high,
        p_value=correlation.p_value,
        spearman=correlation.spearman,
        source=RECALLED,
    )


def _anova(network: str, scores: Mapping[str, Sequence[float]]) -> ScoreAnovaRow:
    votes = sum(len(stack_scores) for stack_scores in scores.values())
    # F is not defined where no score differs from the others of its stack
    defined = any(spread(stack_scores) for stack_scores in scores.values())
    test = stats.f_oneway(*scores.values()) if defined else None
    return ScoreAnovaRow(
        network=network,
        stacks=", ".join(scores),
        votes=votes,
        f=None if test is None else float(test.statistic),
        freedom_between=len(scores) - 1,
        freedom_within=votes - len(scores),
        p_value=None if test is None else float(test.pvalue),
        source=RECALLED,
    )
