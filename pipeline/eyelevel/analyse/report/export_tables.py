"""The tables of an export as they stand on the page; their files are those of `eyelevel_stats.tables`."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from eyelevel.analyse.tables import between
from eyelevel.report.table import Table, View
from eyelevel.report.words import count, decimal, p_value, share, text
from eyelevel_core.model.metrics import LABELS
from eyelevel_stats.rows.words import level_percent

Show = Callable[[Any], str]


def _words(*names: str) -> list[View]:
    """Columns of text, with their fields' names as heads."""
    return [View(name.replace("_", " "), _field(name, text), text=True) for name in names]


def _figures(shown: Mapping[str, tuple[str, Show]]) -> list[View]:
    """Columns of figures: head to field and format."""
    return [View(head, _field(name, show)) for head, (name, show) in shown.items()]


def _field(name: str, show: Show) -> Show:
    return lambda row: show(getattr(row, name))


def _interval(low: str, high: str, show: Callable[[float | None, float | None], str] = between) -> View:
    return View("95 % interval", lambda row: show(getattr(row, low), getattr(row, high)))


def _shares(low: float | None, high: float | None) -> str:
    return "–" if low is None or high is None else f"{share(low)} to {share(high)}"


def _of_level(level: float, low: float | None, high: float | None) -> str:
    """An interval with its level."""
    return "–" if low is None or high is None else f"{between(low, high)} ({level_percent(level)} %)"


def _in_si(row: Any) -> str:
    """The margin as a change of SI, or why that is unknown; nothing without a margin."""
    if row.margin is None:
        return "–"
    return f"+{share(row.margin_si)}" if row.margin_si is not None else f"unknown: {row.margin_si_why}"


def effects(rows: Sequence[Any]) -> Table:
    views = [
        *_words("hypothesis", "network"),
        View("effect", lambda row: f"{row.second} − {row.first}", text=True),
        *_figures({"estimate": ("estimate", decimal)}),
        View("interval", lambda row: _of_level(row.level, row.ci_low, row.ci_high)),
        View("interval for equivalence", lambda row: _of_level(row.inner_level, row.inner_low, row.inner_high)),
        *_figures({"p": ("p_value", p_value), "p (Holm)": ("p_holm", p_value), "margin": ("margin", decimal)}),
        *_figures({"margin in SD of votes": ("margin_d", decimal)}),
        View("margin as a change of SI", _in_si, text=True),
        *_figures({"smallest margin m*": ("least_margin", decimal)}),
        View(
            "detectable",
            lambda row: "–" if row.detectable is None else f"{decimal(row.detectable)} ({share(row.power)})",
        ),
        *_words("verdict", "scope"),
        *_figures({"participants": ("participants", count), "sites": ("sites", count)}),
    ]
    return Table("effects", "Effects behind the hypotheses", [], views, rows)


def opinions(rows: Sequence[Any]) -> Table:
    views = [
        *_words("site", "network", "stack", "context"),
        *_figures({"participants": ("n", count), "MOS": ("mos", decimal)}),
        _interval("ci_low", "ci_high"),
        *_figures({"sd": ("sd", decimal)}),
    ]
    return Table("mos", "Mean opinion score of each condition", [], views, rows)


def comparisons(rows: Sequence[Any]) -> Table:
    views = [
        *_words("site", "network", "context"),
        View("A", lambda row: row.stack_a, text=True),
        View("B", lambda row: row.stack_b, text=True),
        *_figures({"answers": ("n", count), "A faster": ("prefer_a", count), "B faster": ("prefer_b", count)}),
        *_figures({"no difference": ("no_difference", count), "share for A": ("share_a", share)}),
        _interval("ci_low", "ci_high", _shares),
    ]
    return Table("comparisons", "Answers about each pair of stacks", [], views, rows)


def correlations(rows: Sequence[Any]) -> Table:
    views = [
        *_words("network"),
        View("metric", lambda row: LABELS[row.metric], text=True),
        *_figures({"clips": ("clips", count), "votes": ("votes", count)}),
        *_figures({"Pearson": ("pearson", decimal), "Spearman": ("spearman", decimal)}),
        View("why nothing", lambda row: row.why or "", text=True),
    ]
    return Table("correlations", "Clips’ MOS and metrics by network", [], views, rows)


def values(rows: Sequence[Any]) -> Table:
    views = [
        *_words("kind", "site", "network", "stack", "context"),
        *_figures({"participants": ("n", count), "mean": ("mean", decimal)}),
        _interval("ci_low", "ci_high"),
        *_figures({"sd": ("sd", decimal)}),
    ]
    return Table("values", "Answers on other scales", [], views, rows)


def identical(rows: Sequence[Any]) -> Table:
    views = [
        *_words("network", "stack"),
        *_figures(
            {"answers": ("n", count), "left faster": ("chose_left", count), "right faster": ("chose_right", count)}
        ),
        *_figures({"no difference": ("no_difference", count), "difference seen": ("share_different", share)}),
        _interval("ci_low", "ci_high", _shares),
    ]
    return Table("identical", "Pairs that show one stack twice", [], views, rows)


def repeats(rows: Sequence[Any]) -> Table:
    views = [
        *_words("kind"),
        *_figures({"questions": ("n", count), "same answer": ("equal", count), "share": ("share_equal", share)}),
        _interval("ci_low", "ci_high", _shares),
        *_figures({"mean difference": ("mean_difference", decimal)}),
    ]
    return Table("repeats", "Questions that were asked twice", [], views, rows)


def layouts(rows: Sequence[Any]) -> Table:
    views = [
        *_words("kind", "layout"),
        *_figures({"participants": ("n", count), "votes": ("votes", count), "mean": ("mean", decimal)}),
    ]
    return Table("layouts", "Answers by layout", [], views, rows)
