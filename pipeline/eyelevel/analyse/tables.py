"""The tables of a long table's results: as CSV, on the page, and in the data dictionary."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from operator import attrgetter
from typing import Any

from eyelevel.analyse import distribution, opinions
from eyelevel.analyse.distribution import ScoreRow
from eyelevel.analyse.opinions import StimulusRow
from eyelevel.analyse.pair_results import PAIR_COLUMNS, WIN_COLUMNS, PairRow, WinRow
from eyelevel.report.table import Column, Table, View
from eyelevel.report.words import count, decimal, p_value, share, text
from eyelevel_core.tables import columns_of, csv_text
from eyelevel_stats.agreement.best import BestSet
from eyelevel_stats.participants import ParticipantRow
from eyelevel_stats.rows.metrics import BestRow, CeilingRow, DifferenceRow, LeaderRow, SignRow


def mos_table(rows: Sequence[StimulusRow]) -> Table:
    """Site and condition are columns only where the votes have them."""
    absent = {name for name in ("site", "condition") if all(getattr(row, name) is None for row in rows)}
    views = [
        View("stimulus", attrgetter("stimulus"), text=True),
        *(View(name, _shown(name), text=True) for name in ("site", "condition") if name not in absent),
        View("participants", lambda row: count(row.n)),
        View("MOS", lambda row: decimal(row.mos)),
        View("95 % interval", lambda row: between(row.ci_low, row.ci_high)),
        View("sd", lambda row: decimal(row.sd)),
    ]
    own_meanings = {name: meaning for name, meaning in opinions.COLUMNS.items() if name not in absent}
    return Table("mos", "Mean opinion score of each stimulus", _plain(own_meanings), views, rows)


def distribution_table(rows: Sequence[ScoreRow]) -> Table:
    views = [
        View("score", lambda row: _range(row.score_low, row.score_high), text=True),
        View("votes", lambda row: count(row.votes)),
        View("share", lambda row: share(row.share)),
    ]
    return Table("distribution", "Votes by score", _plain(distribution.COLUMNS), views, rows)


def participant_table(rows: Sequence[ParticipantRow]) -> Table:
    views = [
        View("participant", attrgetter("participant"), text=True),
        View("votes", lambda row: count(row.votes)),
        View("stimuli", lambda row: count(row.stimuli)),
        View("mean", lambda row: decimal(row.mean)),
        View("sd", lambda row: decimal(row.sd)),
        View("correlation with the others", lambda row: decimal(row.correlation)),
    ]
    return Table("participants", "Participants", _plain(meanings(ParticipantRow)), views, rows)


def leader_table(rows: Sequence[LeaderRow], *, networks: bool = False) -> Table:
    """The column `network` is there where the clips have networks."""
    own_meanings = {name: own for name, own in meanings(LeaderRow).items() if networks or name != "network"}
    views = [
        View("metric", attrgetter("metric"), text=True),
        *([View("network", attrgetter("network"), text=True)] if networks else []),
        View("stimuli", lambda row: count(row.clips)),
        View("Pearson", lambda row: decimal(row.pearson)),
        View("Spearman", lambda row: decimal(row.spearman)),
        View("Kendall", lambda row: decimal(row.kendall)),
        View("Pearson within sites", lambda row: decimal(row.pearson_centred)),
        View("Spearman within sites", lambda row: decimal(row.spearman_centred)),
        View("share of ceiling", lambda row: decimal(row.share)),
        View("Pearson, mapped", lambda row: decimal(row.pearson_mapped)),
        View("rmse", lambda row: decimal(row.rmse)),
        View("rmse*", lambda row: decimal(row.rmse_star)),
        View("outlier ratio", lambda row: decimal(row.outlier_ratio)),
        View("p", lambda row: p_value(row.rmse_p)),
    ]
    return Table("leaderboard", "Metrics against mean opinion scores", _plain(own_meanings), views, rows)


def pair_table(rows: Sequence[PairRow]) -> Table:
    views = [
        View("A", attrgetter("stimulus_a"), text=True),
        View("B", attrgetter("stimulus_b"), text=True),
        View("answers", lambda row: count(row.n)),
        View("participants", lambda row: count(row.participants)),
        View("prefer A", lambda row: count(row.prefer_a)),
        View("prefer B", lambda row: count(row.prefer_b)),
        View("no difference", lambda row: count(row.no_difference)),
        View("share for A", lambda row: share(row.share_a)),
        View("95 % interval", lambda row: f"{share(row.ci_low)} to {share(row.ci_high)}"),
    ]
    return Table("comparisons", "Answers about each pair", _plain(PAIR_COLUMNS), views, rows)


def win_table(rows: Sequence[WinRow]) -> Table:
    views = [
        View("stimulus", attrgetter("stimulus"), text=True),
        View("answers", lambda row: count(row.n)),
        View("preferred", lambda row: count(row.preferred)),
        View("other preferred", lambda row: count(row.not_preferred)),
        View("no difference", lambda row: count(row.no_difference)),
        View("share preferred", lambda row: share(row.share_preferred)),
    ]
    return Table("preferred", "How often each stimulus was preferred", _plain(WIN_COLUMNS), views, rows)


def ceiling_table(rows: Sequence[CeilingRow]) -> Table:
    """The column `network` is there where the clips have networks."""
    views = [
        View("network", attrgetter("network"), text=True),
        View("stimuli", lambda row: count(row.clips)),
        View("participants", lambda row: count(row.participants)),
        View("reliability", lambda row: decimal(row.reliability)),
        View("95 % interval", lambda row: between(row.reliability_ci_low, row.reliability_ci_high)),
        View("ceiling", lambda row: decimal(row.ceiling)),
        View("lower ceiling", lambda row: decimal(row.lower_ceiling)),
        View("ceiling of Spearman", lambda row: decimal(row.ceiling_spearman)),
        View("ceiling within sites", lambda row: decimal(row.ceiling_centred)),
    ]
    own_meanings = {name: own for name, own in meanings(CeilingRow).items() if len(rows) > 1 or name != "network"}
    views = views if len(rows) > 1 else views[1:]
    return Table("noise-ceiling", "Noise ceilings", _plain(own_meanings), views, rows)


def best_table(sets: Sequence[BestSet]) -> Table:
    """All sets in one; the column `network` is there where the clips have networks."""
    rows = [row for one in sets for row in one.rows]
    views = [
        View("metric", attrgetter("metric"), text=True),
        *([View("network", attrgetter("network"), text=True)] if len(sets) > 1 else []),
        View("stimuli", lambda row: count(row.clips)),
        View("agreement", lambda row: decimal(row.theta)),
        View("95 % interval", lambda row: between(row.ci_low, row.ci_high)),
        View("may be the best", lambda row: text(row.best), text=True),
        *_note(rows),
    ]
    return Table("best-metrics", "Metrics that may agree best with people", _of(BestRow, len(sets) > 1), views, rows)


def difference_table(sets: Sequence[BestSet]) -> Table:
    rows = [row for one in sets for row in one.differences]
    views = [
        View("metrics", lambda row: f"{row.metric_a} − {row.metric_b}", text=True),
        *([View("network", attrgetter("network"), text=True)] if len(sets) > 1 else []),
        View("difference", lambda row: decimal(row.difference)),
        View("95 % interval", lambda row: between(row.ci_low, row.ci_high)),
        View("p (Meng)", lambda row: p_value(row.meng_p)),
        View("interval (Zou)", lambda row: between(row.zou_low, row.zou_high)),
    ]
    caption = "Differences between metrics in agreement"
    return Table("metric-differences", caption, _of(DifferenceRow, len(sets) > 1), views, rows)


def _of(row_type: type[Any], networks: bool) -> Sequence[Column]:
    names = [field.name for field in fields(row_type) if networks or field.name != "network"]
    return _plain({name: meanings(row_type)[name] for name in names})


def sign_table(rows: Sequence[SignRow]) -> Table:
    views = [
        View("metric", attrgetter("metric"), text=True),
        View("pairs", lambda row: count(row.clips)),
        View("agreeing", lambda row: count(row.agreeing)),
        View("share", lambda row: share(row.share)),
        View("95 % interval", lambda row: "–" if row.share is None else f"{share(row.ci_low)} to {share(row.ci_high)}"),
        View("no majority", lambda row: count(row.without_majority)),
        View("no difference of the metric", lambda row: count(row.without_difference)),
    ]
    own_meanings = {name: own.replace("side-by-side clips", "pairs").replace("clips", "pairs")
                for name, own in meanings(SignRow).items() if name != "network"}  # fmt: skip
    return Table("signs", "Metrics against the majority of answers", _plain(own_meanings), views, rows)


def dictionary(tables: Iterable[Table], further: Iterable[tuple[str, str, str]] = ()) -> str:
    """The meaning of every column of every table, and `further` rows (file, column, meaning), as CSV."""
    rows = [row for table in tables for row in table.dictionary()]
    return csv_text(["file", "column", "description"], [*rows, *further])


def between(low: float | None, high: float | None) -> str:
    return "–" if low is None or high is None else f"{decimal(low)} to {decimal(high)}"


def meanings(row: type[Any]) -> dict[str, str]:
    return {one.name: one.description for one in columns_of(row)}


def _plain(meanings: Mapping[str, str]) -> Sequence[Column]:
    return [Column(name, meaning, attrgetter(name)) for name, meaning in meanings.items()]


def _note(rows: Sequence[Any]) -> list[View]:
    """A column for reasons, where there are any."""
    return [View("note", lambda row: row.why or "", text=True)] if any(row.why for row in rows) else []


def _shown(name: str) -> Callable[[Any], str]:
    """A field as text, with a dash where it is unknown."""
    return lambda row: text(getattr(row, name))


def _range(low: float, high: float) -> str:
    return f"{low:g}" if low == high else f"{low:g} to {high:g}"
