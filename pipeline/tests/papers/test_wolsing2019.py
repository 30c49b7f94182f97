"""The figures of 2019 stand beside ours as they were printed."""

import csv
import io
import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from scipy import stats

from eyelevel.compare.comparison import Comparison
from eyelevel.compare.write import report_files
from eyelevel.report.table import Filled
from eyelevel_papers.wolsing2019 import published as paper
from eyelevel_papers.wolsing2019.beside import BESIDE, BesideRow
from eyelevel_papers.wolsing2019.replication import replicate
from eyelevel_papers.wolsing2019.section import section
from eyelevel_stats.arms import difference
from tests.compare.conftest import Compared
from tests.compare.made import Plan

SHARED = Path(os.environ.get("EYELEVEL_SHARED") or Path(__file__).parents[4] / "shared")
FACTS = SHARED / "reference" / "seed_facts.json"
ORDER = ("fvc", "si", "vc85", "lvc", "plt")


@pytest.fixture
def facts() -> dict[str, Any]:
    if not FACTS.exists():
        pytest.skip("needs reference/seed_facts.json: set EYELEVEL_SHARED")
    found: dict[str, Any] = json.loads(FACTS.read_text())
    return found


def test_gains_are_those_printed(facts: dict[str, Any]) -> None:
    printed = {}
    inferred = set()
    for network, gains in facts["mean_si_gain_2019"].items():
        if network == "_about":
            continue
        for pair, gain in gains.items():
            new, reference = pair.split("/")
            known = {"QUIC+BBR/?": "TCP+BBR"}.get(pair, reference.removesuffix("?"))
            printed[network, new, known, "si"] = gain
            if reference.endswith("?"):
                inferred.add((network, new, known, "si"))
    others = facts["other_differences_2019"]
    printed["DA2GC", "QUIC", "TCP+", "fvc"] = others["DA2GC FVC gain QUIC/TCP+"]
    printed["DA2GC", "QUIC", "TCP+", "plt"] = others["DA2GC PLT gain QUIC/TCP+"]
    printed["MSS", "TCP+BBR", "TCP+", "plt"] = -others["MSS PLT TCP+BBR/TCP+ relative"]
    assert printed == paper.GAIN
    assert inferred == paper.REFERENCE_INFERRED


def test_differences_are_those_printed(facts: dict[str, Any]) -> None:
    printed = {
        (network, *pair.rsplit("-", 1), "si"): value
        for network, pairs in facts["mean_si_difference_ms_2019"].items()
        for pair, value in pairs.items()
    }
    others = facts["other_differences_2019"]
    printed["MSS", "TCP+BBR", "TCP+", "fvc"] = others["MSS FVC TCP+BBR-TCP+ ms"]
    printed["MSS", "TCP+BBR", "TCP+", "plt"] = others["MSS PLT TCP+BBR-TCP+ ms"]
    assert printed == paper.DIFFERENCE_MS


def test_table_3_is_as_printed(facts: dict[str, Any]) -> None:
    printed = facts["one_rtt_correction_2019"]
    found = {
        (network + (" BBR" if new == "QUIC+BBR" else ""), metric.upper()): values
        for (network, new, _reference, metric), values in paper.ONE_TRIP_MS.items()
    }
    for place, site in enumerate(("gnu.org", "wikipedia.org")):
        values = {
            (column, metric): value
            for column, by_metric in printed[site].items()
            for metric, value in by_metric.items()
        }
        assert {key: both[place] for key, both in found.items()} == values


def test_anova_counts_are_those_of_the_slides(facts: dict[str, Any]) -> None:
    slides = {
        tuple(pair.split(" vs ")): tuple(tuple(counts) for counts in by_metric.values())
        for pair, by_metric in facts["anova_dsl_2019"].items()
        if pair != "_order"
    }
    assert slides == paper.ANOVA_DSL


def test_they_stand_beside_ours(compared: Compared) -> None:
    stacks = ("TCP", "TCP+", "TCP+BBR", "QUIC", "QUIC+BBR")
    plan = Plan(sites=("alpha", "beta"), networks=("DSL", "MSS"), stacks=stacks, runs=3, servers={"alpha": 1})
    found = compared(plan)
    files = report_files(found, [section(found)])

    def row(table: str, *place: str) -> dict[str, str]:
        names = ("network", "new_stack", "reference_stack", "metric")
        lines = csv.DictReader(io.StringIO(files[f"tables/{table}.csv"]))
        return next(line for line in lines if tuple(line[name] for name in names) == place)

    average = row("average-gains-2019", "DSL", "QUIC+BBR", "TCP+BBR", "si")
    assert (average["paper_2019_mean_gain"], average["paper_2019_reference"]) == ("-0.09", "inferred")
    assert average["paper_2019_mean_difference_ms"] == ""
    average = row("average-gains-2019", "MSS", "TCP+BBR", "TCP+", "plt")
    assert (average["paper_2019_mean_gain"], average["paper_2019_reference"]) == ("-0.21", "stated")
    assert average["paper_2019_mean_difference_ms"] == "-11395.4"
    one_trip = row("one-rtt-2019", "MSS", "QUIC+BBR", "TCP+BBR", "plt")
    assert (one_trip["paper_2019_gnu_org_ms"], one_trip["paper_2019_wikipedia_org_ms"]) == ("-477", "451")
    assert float(one_trip["corrected_ci_low_ms"]) < float(one_trip["corrected_ms"])
    assert "\u22129.0\u00a0%" in files["report.html"]
    assert "<td>inferred</td>" in files["report.html"]
    assert "\u221211,395" in files["report.html"]


def beside(**fields: Any) -> BesideRow:
    row = BesideRow(
        "mean gain", None, "DSL", "QUIC", "TCP", "si", "fraction", paper_2019=-0.05, sites=3, left_out=0, ours=0.0,
        ci_low=None, ci_high=None, like_ci_low=None, like_ci_high=None, held=True,
    )  # fmt: skip
    return replace(row, **fields)


@pytest.mark.parametrize(
    ("ours", "low", "high", "held", "agreement"),
    [
        (-0.1, -0.2, -0.01, True, "same"),
        (-0.1, -0.2, 0.01, True, "open"),
        (-0.1, None, None, True, "open"),
        (-0.1, -0.2, -0.01, False, "open"),
        (0.1, 0.01, 0.2, True, "opposite"),
    ],
)
def test_only_an_interval_without_0_agrees_or_contradicts(
    ours: float, low: float | None, high: float | None, held: bool, agreement: str
) -> None:
    assert beside(ours=ours, ci_low=low, ci_high=high, held=held).agreement == agreement


@pytest.mark.parametrize(
    ("site", "of_site", "like", "inside"),
    [
        (None, (-0.2, -0.1), (-0.3, 0.1), True),
        (None, (-0.1, 0.1), (-0.04, 0.1), False),
        (None, (-0.1, 0.1), (None, None), None),
        ("gnu.org", (-0.1, 0.1), (None, None), True),
        ("gnu.org", (-0.04, 0.1), (None, None), False),
    ],
)
def test_a_printed_mean_is_looked_for_among_sites_like_these_and_that_of_a_site_for_this_site(
    site: str | None, of_site: tuple[float, float], like: tuple[float, float] | tuple[None, None], inside: bool | None
) -> None:
    row = beside(paper_site=site, ci_low=of_site[0], ci_high=of_site[1], like_ci_low=like[0], like_ci_high=like[1])
    assert row.paper_inside is inside


def test_the_page_has_sites_with_runs_left_out_and_both_intervals() -> None:
    rows = [
        beside(ci_low=-0.1, ci_high=-0.02, like_ci_low=-0.3, like_ci_high=0.2),
        beside(unit="ms", paper_2019=-20.0, ours=-3.0, ci_low=-5.0, ci_high=-1.0, sites=1, left_out=1),
    ]
    table = Filled(BESIDE, rows)
    shown = dict(zip([head.words for head in table.heads()], zip(*table.lines(rows), strict=True), strict=True))
    assert (shown["sites here"], shown["runs left out"]) == (("3", "1"), ("0", "1"))
    assert shown["95 %, these sites"] == ("−0.100 to −0.020", "−5.000 to −1.000")
    assert shown["95 %, sites like these"] == ("−0.300 to 0.200", "–")
    assert (shown["metric"], shown["2019 inside"]) == (("SI", "SI"), ("yes", "–"))


def test_what_contradicts_comes_first(compared: Compared) -> None:
    """QUIC is planted slower by a fifth: against the paper on DSL and MSS, by gain, difference and table 3."""
    plan = Plan(
        sites=("wikipedia", "alpha"), networks=("DSL", "MSS"), stacks=("TCP", "TCP+", "QUIC"), runs=8,
        servers={"wikipedia": 1}, log_gain={"QUIC": 0.2, "TCP+": -0.05}, run_sd=0.01, site_sd=0.002,
    )  # fmt: skip
    found = compared(plan)
    agreements = [row.agreement for row in replicate(found).beside]
    assert agreements == sorted(agreements, key=("opposite", "open", "same").index)
    places = {
        (row.figure, row.paper_site, row.network, row.new_stack, row.metric): row for row in replicate(found).beside
    }
    assert places["mean gain", None, "MSS", "QUIC", "si"].agreement == "opposite"
    assert places["mean difference", None, "DSL", "QUIC", "si"].agreement == "opposite"
    assert places["mean gain", None, "DSL", "TCP+", "si"].agreement == "same"
    table_3 = places["one round trip taken off", "wikipedia.org", "MSS", "QUIC", "plt"]
    assert (table_3.paper_2019, table_3.sites, table_3.agreement) == (-529, 1, "opposite")
    files = report_files(found, [section(found)])
    assert files["tables/beside-2019.csv"].splitlines()[1].startswith("opposite,")
    assert "Beside the printed figures" in files["report.html"]


def test_means_over_sites_have_the_interval_of_the_blocks(compared: Compared) -> None:
    """What all stacks of a block share, here a spread of a third, does not widen the interval."""
    plan = Plan(
        sites=("alpha", "beta"), networks=("DSL",), stacks=("TCP+", "QUIC"), runs=9, log_gain={"QUIC": -0.05},
        run_sd=0.01, block_sd=0.3, paired=True,
    )  # fmt: skip
    found = compared(plan)
    values = {site: [_si(found, site, stack) for stack in ("QUIC", "TCP+")] for site in ("alpha", "beta")}
    rows = {row.figure: row for row in replicate(found).beside if row.metric == "si"}
    gaps = [[new - old for new, old in zip(*arms, strict=True)] for arms in values.values()]
    expected = difference([(gap, [0.0] * len(gap)) for gap in gaps], paired=True)
    assert expected is not None
    row = rows["mean difference"]
    assert (row.ours, row.ci_low, row.ci_high) == pytest.approx(
        (expected.difference, expected.ci_low, expected.ci_high)
    )
    assert (row.sites, row.agreement) == (2, "same")
    ratios = [sum(new) / sum(old) - 1 for new, old in values.values()]
    assert rows["mean gain"].ours == pytest.approx(sum(ratios) / 2)
    site = next(
        row for row in replicate(found).gains if (row.site, row.metric, row.new_stack) == ("alpha", "si", "QUIC")
    )
    by_scipy = stats.ttest_rel(*values["alpha"]).confidence_interval()
    assert (site.difference_ci_low_ms, site.difference_ci_high_ms) == pytest.approx((by_scipy.low, by_scipy.high))


def test_runs_that_no_mean_has_are_counted_beside_it(compared: Compared) -> None:
    unsettled = frozenset({"takes/wikipedia/DSL/QUIC/run-01", "takes/wikipedia/DSL/TCP+/run-02"})
    plan = Plan(
        sites=("wikipedia", "alpha"), networks=("DSL",), stacks=("TCP+", "QUIC"), runs=4, servers={"wikipedia": 1},
        unsettled=unsettled,
    )  # fmt: skip
    found = compared(plan)
    left_out = {(row.figure, row.metric): row.left_out for row in replicate(found).beside}
    assert left_out["mean gain", "si"] == left_out["mean difference", "si"] == 2
    assert {row.left_out for row in replicate(found).one_trip if row.metric == "fvc"} == {
        left_out["one round trip taken off", "fvc"]
    }


def test_only_pairs_that_are_compared_stand_beside_the_papers(compared: Compared) -> None:
    stacks = ("TCP", "TCP+", "QUIC")
    found = compared(Plan(sites=("alpha",), networks=("DSL",), stacks=stacks, runs=3), pairs=["QUIC/TCP+"])
    assert {(row.new_stack, row.reference_stack) for row in replicate(found).beside} == {("QUIC", "TCP+")}


def test_what_the_films_alignment_may_explain_is_open(compared: Compared) -> None:
    """QUIC's films start 400 ms late: its Speed Index and first change are lower by no more than that."""
    plan = Plan(
        sites=("wikipedia.org",), networks=("DSL",), stacks=("TCP+", "QUIC"), runs=8, servers={"wikipedia.org": 1},
        log_gain={"QUIC": -0.05}, run_sd=0.001, zero_error_ms={"QUIC": 405.0, "TCP+": 5.0},
    )  # fmt: skip
    visual = [row for row in replicate(compared(plan)).beside if row.metric in {"fvc", "si"}]
    assert {row.figure for row in visual} == {"mean gain", "mean difference", "one round trip taken off"}
    assert {(row.held, row.agreement) for row in visual} == {(False, "open")}


def _si(found: Comparison, site: str, stack: str) -> list[float]:
    """The Speed Index of every run of a stack, by run."""
    loads = sorted(found.loads, key=lambda load: load.run)
    return [load.metrics["si"] or 0.0 for load in loads if (load.site, load.stack) == (site, stack)]
