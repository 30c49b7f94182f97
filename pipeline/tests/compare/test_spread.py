"""How much of the Speed Index's variation follows processor time is found as planted, and told in table and report."""

from collections.abc import Sequence
from dataclasses import replace
from math import exp, hypot, sqrt

import pytest

from eyelevel.compare.arms import by_setting
from eyelevel.compare.comparison import Comparison
from eyelevel.compare.model import Load
from eyelevel.compare.report.contents import tables
from eyelevel.compare.spread import spreads
from eyelevel.compare.write import report_files

from .conftest import Compared
from .made import Plan

# 200 takes of each stack: a standard deviation is known to 5 % (one standard error)
MANY = Plan(sites=("alpha", "beta"), runs=100, run_sd=0.05, machine_sd=0.1)
FEW = replace(MANY, runs=4)
FIRST_RUNS = frozenset(f"takes/{site}/DSL/{stack}/run-01" for site in FEW.sites for stack in FEW.stacks)
WORDS = "Replayed to one stack, a page does about the same work in each run."


def said(found: Comparison) -> str:
    return " ".join(report_files(found)["report.html"].split())


def with_values(loads: Sequence[Load], logs: Sequence[tuple[float | None, float | None]]) -> list[Load]:
    """The takes with other processor times and Speed Indexes, by their logarithms; None for unknown."""
    return [
        replace(
            load,
            next_began_ms=None if used is None else 1000 * exp(used),
            metrics={**load.metrics, "si": None if si is None else 500 * exp(si)},
        )
        for load, (used, si) in zip(loads, logs, strict=True)
    ]


def test_values_are_those_by_hand(compared: Compared) -> None:
    """Half of the processors' slope, and a rest that is orthogonal to them, on two sites of unequal size and level."""
    alpha, beta = (
        [load for load in compared(replace(FEW, runs=6)).loads if load.stack == "QUIC" and load.site == site]
        for site in FEW.sites
    )
    values = [(0.1 * x, 0.05 * x + 0.1 * rest) for x, rest in ((-1, 1), (-1, -1), (1, 1), (1, -1))]
    others = [(0.1 * x, 1 + 0.05 * x + 0.1 * rest) for x, rest in ((-2, 1), (-1, -2), (0, 0), (1, 2), (2, -1))]
    loads = with_values([*alpha, *beta[:5]], [*values, (None, 3.0), (3.0, None), *others])
    (row,) = spreads(by_setting(loads))
    # sums of squares within sites: 0.14 of processor time, 0.14 of the rest, and so 0.25 * 0.14 + 0.14 of the metric
    assert (row.sites, row.takes) == (2, 9)
    assert row.sd_log_processor_time == pytest.approx(sqrt(0.14 / 7))
    assert row.sd_log_si == pytest.approx(sqrt(0.175 / 7))
    assert row.correlation == pytest.approx(0.07 / sqrt(0.14 * 0.175))
    assert row.sd_log_si_left == pytest.approx(sqrt(0.14 / 6))


def test_what_follows_processor_time_is_found_as_planted(compared: Compared) -> None:
    found = compared(MANY)
    assert [(row.network, row.stack, row.sites, row.takes) for row in found.spread] == [
        ("DSL", "QUIC", 2, 200),
        ("DSL", "TCP+", 2, 200),
    ]
    for row in found.spread:
        assert row.sd_log_si == pytest.approx(hypot(0.05, 0.1), rel=0.15)
        assert row.sd_log_processor_time == pytest.approx(0.1, rel=0.15)
        assert row.correlation == pytest.approx(0.1 / hypot(0.05, 0.1), abs=0.05)
        assert row.sd_log_si_left == pytest.approx(0.05, rel=0.15)


def test_what_does_not_follow_it_is_left(compared: Compared) -> None:
    for row in compared(replace(MANY, machine_sd=1e-3)).spread:
        assert row.sd_log_si == pytest.approx(0.05, rel=0.15)
        assert row.sd_log_si_left == pytest.approx(row.sd_log_si, rel=0.05)


def test_it_is_in_the_table_and_on_the_page(compared: Compared) -> None:
    found = compared(FEW)
    assert WORDS in said(found)
    columns, *rows = (line.split(",") for line in tables(found)["spread"].csv().splitlines())
    quic = dict(zip(columns, rows[0], strict=True))
    assert (quic["stack"], quic["sites"], quic["takes"]) == ("QUIC", "2", "8")
    assert float(quic["sd_log_si_left"]) == pytest.approx(found.spread[0].sd_log_si_left, rel=1e-3)


def test_processors_that_are_always_as_fast_explain_nothing(compared: Compared) -> None:
    found = compared(replace(FEW, machine_sd=0.0))
    assert [(row.sd_log_processor_time, row.correlation, row.sd_log_si_left) for row in found.spread] == [
        (0, None, None)
    ] * 2
    assert ",0.0,,\n" in tables(found)["spread"].csv().replace("\r", "")


@pytest.mark.parametrize(
    "plan",
    [
        pytest.param(replace(FEW, machine_sd=None), id="nobody counted processor time"),
        pytest.param(replace(FEW, runs=3), id="too few takes"),
        pytest.param(replace(FEW, unsettled=FIRST_RUNS), id="too few takes that settled"),
    ],
)
def test_nothing_is_said_where_too_few_takes_know_it(compared: Compared, plan: Plan) -> None:
    found = compared(plan)
    assert not found.spread
    assert WORDS not in said(found)
