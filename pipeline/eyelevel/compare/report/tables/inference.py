"""Tables of the inference: the gain over all sites, and the tests per site."""

from collections.abc import Callable, Sequence
from typing import Any

from eyelevel.compare.amounts import AmountRow
from eyelevel.compare.inference import OverallTest, SiteTest
from eyelevel.compare.report.tables.shared import (
    METRIC,
    METRIC_VIEW,
    NETWORK,
    NETWORK_VIEW,
    PAIR,
    PAIR_VIEW,
    SITE,
    SITE_VIEW,
)
from eyelevel.report import words
from eyelevel.report.table import Column, Table, View
from eyelevel_core.model.metrics import METRIC_OF

CORRECTIONS = {"holm": "Holm", "bh": "Benjamini-Hochberg"}
FAMILY = "the pair's rows with metrics of its group: the five main ones, or those of the browser"
FRACTION = "a fraction, below 0: new is faster"


def _found(name: str) -> Callable[[OverallTest], Any]:
    return lambda row: None if row.found is None else getattr(row.found, name)


def _test(name: str) -> Callable[[SiteTest], Any]:
    return lambda row: None if row.test is None else getattr(row.test, name)


def overall_table(rows: Sequence[OverallTest], correction: str) -> Table:
    name = CORRECTIONS[correction]
    columns = [
        *PAIR,
        NETWORK,
        METRIC,
        Column("sites", "sites with both stacks", lambda row: row.found.sites if row.found else 0),
        Column("runs", "runs of both stacks that count", lambda row: row.runs),
        Column("censored_runs", "of these, runs set to the limit as they never settled", lambda row: row.censored),
        Column("gain", f"geometric mean over sites of the ratio of times, minus 1; {FRACTION}", _found("gain")),
        Column(
            "gain_ci_low", "lower end of its 95 % interval for sites like these (t over sites)", _found("gain_ci_low")
        ),
        Column("gain_ci_high", "upper end of the same interval", _found("gain_ci_high")),
        Column("p_value", "two-sided p against no gain on sites like these", _found("p_value")),
        Column("p_adjusted", f"the same after {name} among {FAMILY}", lambda row: row.adjusted_p),
        Column("here_gain_ci_low", "lower end of the 95 % interval for these very sites", _found("here_ci_low")),
        Column("here_gain_ci_high", "upper end of the same interval", _found("here_ci_high")),
        Column("here_p_value", "two-sided p against no gain on these very sites", _found("here_p_value")),
        Column("here_p_adjusted", f"the same after {name} among {FAMILY}", lambda row: row.here_adjusted_p),
        Column("sites_sd_log", "standard deviation of the sites' log ratios", _found("site_sd_log")),
        Column(
            "smallest_gain",
            "the smallest gain that a test over so many such sites finds at 5 % before correction, with a chance of "
            "80 %; after correction only larger ones are found; a fraction",
            _found("smallest_speed_up"),
        ),
        Column(
            "difference_ms",
            "mean over sites of the difference of mean times, new - reference",
            lambda row: row.difference_ms,
        ),
        Column(
            "floor_ms",
            "alignment of the films: smaller differences cannot be read; empty for what the browser measures, and "
            "where it is unknown",
            lambda row: row.floor_ms,
        ),
        Column("not_estimated_because", "why the interval over sites is missing", _found("reason")),
    ]
    views = [
        NETWORK_VIEW,
        METRIC_VIEW,
        View("sites", lambda row: str(row.found.sites if row.found else 0)),
        View("runs", lambda row: words.count(row.runs)),
        View("gain", lambda row: words.percent(_found("gain")(row))),
        View(
            "95 %, sites like these",
            lambda row: words.interval(_found("gain_ci_low")(row), _found("gain_ci_high")(row)),
        ),
        View(f"p, {name}", lambda row: words.p_value(row.adjusted_p)),
        View(
            "95 %, these very sites",
            lambda row: words.interval(_found("here_ci_low")(row), _found("here_ci_high")(row)),
        ),
        View(f"p, {name}", lambda row: words.p_value(row.here_adjusted_p)),
        View("smallest found, uncorrected", lambda row: words.percent(_found("smallest_speed_up")(row))),
        View("difference, ms", lambda row: words.signed_ms(row.difference_ms)),
        View("floor, ms", lambda row: "unknown" if row.floor_unknown else words.ms(row.floor_ms)),
    ]
    return Table(
        "overall",
        "Geometric mean gain over sites",
        columns,
        views,
        rows,
        note="Each site counts once. The first interval is about sites like these: its unit is the site. The second is "
        "about these very sites: only their runs vary. A claim about sites like these needs both p-values below 0.05, "
        "because the gains of a few sites may agree by chance. The smallest gain that can be found belongs to the "
        "first test, at 5 % before correction; the p-values beside it are corrected, and only larger gains pass. A "
        "difference of a visual metric below the floor may be an alignment error of the films.",
    )


def site_table(rows: Sequence[SiteTest], correction: str) -> Table:
    name = CORRECTIONS[correction]
    columns = [
        SITE,
        NETWORK,
        *PAIR,
        METRIC,
        Column("method", "welch: two samples of log times; paired: log ratios within blocks", _test("method")),
        Column("runs_new", "runs or blocks that count", _test("n_new")),
        Column("runs_reference", "the same of the reference", _test("n_reference")),
        Column("censored_new", "of these, runs set to the limit", lambda row: row.censored_new),
        Column("censored_reference", "the same of the reference", lambda row: row.censored_reference),
        Column("unknown_new", "runs without a value, which do not count", lambda row: row.unknown_new),
        Column("unknown_reference", "the same of the reference", lambda row: row.unknown_reference),
        Column("gain", f"ratio of geometric means minus 1; {FRACTION}", _test("gain")),
        Column("gain_ci_low", "lower end of its 95 % interval", _test("gain_ci_low")),
        Column("gain_ci_high", "upper end of the same interval", _test("gain_ci_high")),
        Column("t", "t of the test", _test("t")),
        Column("degrees_of_freedom", "its degrees of freedom", _test("freedom")),
        Column("p_value", "two-sided p", _test("p_value")),
        Column("p_adjusted", f"the same after {name} among {FAMILY}", lambda row: row.adjusted_p),
        Column("rank_p_value", "p of the Mann-Whitney test, or of Wilcoxon's where paired", _test("rank_p_value")),
        Column("hedges_g", "effect in standard deviations of log time, below 0: new is faster", _test("hedges_g")),
        Column(
            "superiority", "chance that a run of new is faster than one of reference; a fraction", _test("superiority")
        ),
        Column(
            "smallest_gain",
            "the smallest gain found at 5 % before correction, with a chance of 80 %, by so many runs; a fraction",
            _test("smallest_speed_up"),
        ),
        Column("not_estimated_because", "why the test is missing", _test("reason")),
    ]
    views = [
        SITE_VIEW,
        METRIC_VIEW,
        View("runs", lambda row: "–" if row.test is None else f"{row.test.n_new} + {row.test.n_reference}"),
        View("gain", lambda row: words.percent(_test("gain")(row))),
        View("95 %", lambda row: words.interval(_test("gain_ci_low")(row), _test("gain_ci_high")(row))),
        View("p", lambda row: words.p_value(_test("p_value")(row))),
        View(f"p, {name}", lambda row: words.p_value(row.adjusted_p)),
        View("Hedges’ g", lambda row: words.decimal(_test("hedges_g")(row))),
        View("new faster", lambda row: words.share(_test("superiority")(row))),
        View("smallest found, uncorrected", lambda row: words.percent(_test("smallest_speed_up")(row))),
        View("censored", lambda row: f"{row.censored_new} + {row.censored_reference}"),
    ]
    return Table("site-tests", "Tests per site", columns, views, rows)


def amount_table(rows: Sequence[AmountRow]) -> Table:
    def found(name: str) -> Callable[[AmountRow], Any]:
        return lambda row: None if row.found is None else getattr(row.found, name)

    def shown(value: Callable[[AmountRow], float | None]) -> Callable[[AmountRow], str]:
        return lambda row: words.amount(value(row), METRIC_OF[row.metric].unit)

    columns = [
        *PAIR,
        NETWORK,
        METRIC,
        Column("unit", "unit of the values; empty: a plain number", lambda row: METRIC_OF[row.metric].unit or None),
        Column("sites", "sites with a value in both stacks", lambda row: row.sites),
        Column("left_out", "runs of both stacks without a value, left out here", lambda row: row.left_out),
        Column("mean_new", "mean over sites of the new stack's means", lambda row: row.mean_new),
        Column("mean_reference", "the same of the reference", lambda row: row.mean_reference),
        Column(
            "difference",
            "mean over sites of the difference of means, new - reference; of sites with several runs of both stacks, "
            "where there are any",
            found("difference"),
        ),
        Column("ci_low", "lower end of its 95 % interval for these very sites (Welch within sites)", found("ci_low")),
        Column("ci_high", "upper end of the same interval", found("ci_high")),
    ]
    views = [
        PAIR_VIEW,
        NETWORK_VIEW,
        METRIC_VIEW,
        View("sites", lambda row: words.count(row.sites)),
        View("new", shown(lambda row: row.mean_new)),
        View("reference", shown(lambda row: row.mean_reference)),
        View("difference", shown(found("difference"))),
        View("from", shown(found("ci_low"))),
        View("to, 95 %, these very sites", shown(found("ci_high"))),
        View("left out", lambda row: words.count(row.left_out)),
    ]
    return Table(
        "amounts",
        "Differences of blocking time and layout shift",
        columns,
        views,
        rows,
        note="TBT is in ms, CLS a plain number. Both may be 0, so that they have differences and no gains. No p-value "
        "is given: they describe, and decide nothing.",
    )
