"""Leaderboard of metrics: correlation with MOS, prediction error and share of the noise ceiling.

The order of ITU-T P.1401 (01/2020): mapping, correlation, rmse, rmse*, outlier ratio, significance. Correlations are
raw, with the sign of the metric against MOS, and centred within sites. Raw ones are large wherever sites differ in
speed; centred ones say whether a metric orders the loads of one site as people do.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from scipy import stats

from eyelevel_stats.agreement.clip_scores import ClipScore, Floats, Metrics
from eyelevel_stats.agreement.mapping import COEFFICIENTS, LINEAR, larger_rmse_p, monotone_mapping, prediction_errors
from eyelevel_stats.agreement.people import People
from eyelevel_stats.agreement.scope import LEAST_KNOWN, by_network, site_count, sites_known, why_nothing, with_value
from eyelevel_stats.agreement.shares import ends
from eyelevel_stats.correlation import mean_ranks, pearson_coefficient
from eyelevel_stats.rows.metrics import EXPECTED, OPPOSITE, LeaderRow


def leaderboard(
    clips: Sequence[ClipScore], metrics: Metrics, *, higher_is_better: Collection[str] = (), seed: int = 0
) -> tuple[LeaderRow, ...]:
    """Computes a row per network and metric: all networks first, then each if there are several; metrics as given.

    Smaller values of metrics are better, except of those in `higher_is_better`. With fewer than 10 clips, or 5 sites,
    values are None. Where sites are unknown (none is named, or each clip has another one), only the number of clips
    counts, and nothing is centred. The same seed gives the same simulations and draws.
    """
    ordered = sorted(clips)
    known = sites_known(ordered)
    rows: list[LeaderRow] = []
    for network, network_clips in by_network(ordered):
        of_network = _Network(network, network_clips, known=known, seed=seed)
        board = [of_network.row(metric, values) for metric, values in metrics.items()]
        rows += _with_direction(_with_p(board), higher_is_better)
    return tuple(rows)


class _Network:
    """The clips of one network; results that do not depend on a metric are computed once per set of clips."""

    def __init__(self, name: str, clips: Sequence[ClipScore], *, known: bool, seed: int) -> None:
        self._name, self._clips, self._known, self._seed = name, clips, known, seed
        self._people: dict[tuple[ClipScore, ...], People] = {}

    def row(self, metric: str, of_metric: Mapping[str, float | None]) -> LeaderRow:
        clips, values = with_value(self._clips, metric, of_metric)
        sites = site_count(clips) if self._known else None
        row = LeaderRow(self._name, metric, len(clips), sites)
        why = why_nothing(clips, known=self._known)
        if why is not None:
            return replace(row, why=str(why))
        if clips not in self._people:
            self._people[clips] = People(clips, known=self._known, seed=self._seed)
        people = self._people[clips]
        return _with_ceilings(_with_errors(_with_correlations(row, people, values), people, values), people, values)


def _with_correlations(row: LeaderRow, people: People, values: Floats) -> LeaderRow:
    inside = people.within(values)
    raw = _coefficients(values, people.mos)
    within = (None, None, None) if inside is None else _coefficients(inside, people.mos_centred)
    reasons = people.reasons()
    if raw[0] is None:
        reasons.append("metric or MOS is the same for all clips")
    elif inside is not None and within[0] is None:
        reasons.append("metric or MOS is the same for all clips of each site on each network")
    return replace(
        row,
        pearson=raw[0],
        spearman=raw[1],
        kendall=raw[2],
        pearson_centred=within[0],
        spearman_centred=within[1],
        kendall_centred=within[2],
        why="; ".join(reasons) or None,
    )


def _with_errors(row: LeaderRow, people: People, values: Floats) -> LeaderRow:
    mapped = monotone_mapping(values, people.mos)
    if mapped is None:
        return row
    errors = prediction_errors(people.mos, mapped.predicted, people.half_widths, freedom=mapped.freedom)
    return replace(
        row,
        mapping=mapped.kind,
        pearson_mapped=pearson_coefficient(mapped.predicted, people.mos),
        rmse=errors.rmse,
        rmse_star=errors.rmse_star,
        outlier_ratio=errors.outlier_ratio,
    )


def _with_ceilings(row: LeaderRow, people: People, values: Floats) -> LeaderRow:
    if people.raw is not None:
        low, high = ends(people.raw.interval)
        share, interval = people.raw.share(row.pearson, values)
        share_low, share_high = ends(interval)
        row = replace(
            row,
            reliability=people.raw.reliability,
            reliability_ci_low=low,
            reliability_ci_high=high,
            ceiling=people.raw.value,
            ceiling_spearman=people.spearman_ceiling,
            share=share,
            share_ci_low=share_low,
            share_ci_high=share_high,
        )
    if people.centred is not None:
        share, interval = people.centred.share(row.pearson_centred, values[people.among])
        share_low, share_high = ends(interval)
        row = replace(
            row,
            reliability_centred=people.centred.reliability,
            ceiling_centred=people.centred.value,
            share_centred=share,
            share_centred_ci_low=share_low,
            share_centred_ci_high=share_high,
        )
    return row


def _coefficients(x: Floats, y: Floats) -> tuple[float | None, float | None, float | None]:
    """Computes Pearson, Spearman, and Kendall's tau-b (M. G. Kendall, Biometrika 33, 1945); None if one is constant."""
    pearson = pearson_coefficient(x, y)
    if pearson is None:
        return None, None, None
    ranks = mean_ranks(x), mean_ranks(y)
    return pearson, pearson_coefficient(*ranks), float(stats.kendalltau(*ranks).statistic)


def _with_p(board: Sequence[LeaderRow]) -> list[LeaderRow]:
    """Tests each rmse against the smallest one, among metrics that are known for nearly all clips."""
    most = max((row.clips for row in board), default=0)
    rmse = {row.metric: row.rmse for row in board if row.rmse is not None and row.clips >= LEAST_KNOWN * most}
    best = min(rmse, key=lambda metric: rmse[metric], default=None)
    left = {row.metric: row.clips - COEFFICIENTS[row.mapping or LINEAR] for row in board}
    return [
        row
        if best is None or row.metric == best or row.metric not in rmse
        else replace(
            row,
            rmse_p=larger_rmse_p(
                rmse[row.metric], rmse[best], freedom_larger=left[row.metric], freedom_smaller=left[best]
            ),
        )
        for row in board
    ]


def _with_direction(board: Sequence[LeaderRow], higher_is_better: Collection[str]) -> list[LeaderRow]:
    return [
        row
        if not row.spearman
        else replace(row, direction=EXPECTED if (row.spearman > 0) == (row.metric in higher_is_better) else OPPOSITE)
        for row in board
    ]
