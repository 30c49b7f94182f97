"""The report about Saif et al. 2020: Lighthouse 6's score, the points of the sweeps, and the paper's statements."""

import csv
import io
import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from eyelevel.compare.command import compare_command
from eyelevel.compare.model import Load, Pair, Sent, Traffic
from eyelevel.errors import BadInputError
from eyelevel_core.model.metrics import METRIC_OF
from eyelevel_core.model.take import Definition, Fidelity
from eyelevel_papers.saif2020.directions import directions
from eyelevel_papers.saif2020.points import Impairment, Series, pairs_of, series, split
from eyelevel_papers.saif2020.score import (
    CURVES,
    FORM_FACTORS,
    WEIGHTS,
    mean_of_scores,
    metric_score,
    score,
    score_of_means,
)
from tests.compare.made import Plan, write

SHARED = Path(os.environ.get("EYELEVEL_SHARED", Path(__file__).resolve().parents[4] / "shared"))
FACTS = SHARED / "reference" / "seed_facts.json"
needs_facts = pytest.mark.skipif(not FACTS.is_file(), reason="the papers' facts are not there: set EYELEVEL_SHARED")
PAIR = Pair("QUIC", "TCP")
AUDIT = {"fcp": 2000.0, "si": 2500.0, "lcp": 3000.0, "tti": 2000.0, "tbt": 0.0, "cls_sum": 0.003}
FAST = {"fcp": 1000.0, "si": 1500.0, "lcp": 2000.0, "tti": 1000.0, "tbt": 0.0, "cls_sum": 0.003}
STACKS = {
    "TCP": {"transport": "tcp", "http": "2", "initial_window_packets": 10},
    "TCP+": {"transport": "tcp", "http": "2", "initial_window_packets": 32},
    "QUIC": {"transport": "quic", "http": "3", "initial_window_packets": 32},
}


def _theirs(key: str) -> str:
    """The name of a metric in the papers' facts."""
    return key.removesuffix("_sum").upper()


class TestScore:
    def test_the_vectors_of_lighthouse_6_come_out(self) -> None:
        assert [score(AUDIT, form) for form in FORM_FACTORS] == [93, 64]
        assert [score(FAST, form) for form in FORM_FACTORS] == [99, 86]

    @needs_facts
    def test_weights_curves_and_vectors_are_those_of_the_shared_facts(self) -> None:
        facts = json.loads(FACTS.read_text())["saif_2020"]
        assert {_theirs(key): weight / 100 for key, weight in WEIGHTS.items()} == facts["weights_lighthouse_6"]
        assert {
            form: {_theirs(key): list(ends) for key, ends in curves.items()} for form, curves in CURVES.items()
        } == {form: facts["score_curves_lighthouse_6"][form] for form in FORM_FACTORS}
        for vector in facts["score_vectors"]:
            values = {key: float(vector[_theirs(key)]) for key in WEIGHTS}
            assert [score(values, form) for form in FORM_FACTORS] == [vector["mobile"], vector["desktop"]]

    def test_weights_add_up_and_each_curve_passes_its_two_points(self) -> None:
        assert sum(WEIGHTS.values()) == 100
        for curves in CURVES.values():
            assert curves.keys() == WEIGHTS.keys()
            for p10, median in curves.values():
                assert (metric_score(p10, p10, median), metric_score(median, p10, median)) == (0.9, 0.5)

    def test_nothing_is_better_than_zero_and_nothing_is_below_it(self) -> None:
        assert metric_score(0, 287, 600) == 1.0
        with pytest.raises(ValueError, match="not below 0; got -1"):
            metric_score(-1, 287, 600)

    def test_the_metrics_of_several_audits_are_averaged_before_they_are_scored(self) -> None:
        slow = {**AUDIT, "lcp": 9000.0}
        assert score_of_means([FAST, slow], "mobile") == score(
            {**AUDIT, "fcp": 1500, "si": 2000, "lcp": 5500, "tti": 1500}, "mobile"
        )
        assert mean_of_scores([FAST, slow], "mobile") == (score(FAST, "mobile") + score(slow, "mobile")) / 2
        assert score_of_means([FAST, slow], "mobile") != mean_of_scores([FAST, slow], "mobile")
        assert (score_of_means([], "mobile"), mean_of_scores([], "mobile")) == (None, None)


class TestPoints:
    def test_a_network_is_split_into_its_link_and_what_is_added_towards_the_client(self) -> None:
        one_way = {
            "up_mbps": "unlimited",
            "down_mbps": "unlimited",
            "delay_up_ms": 0,
            "delay_down_ms": 300,
            "loss_down": 0.014,
        }
        assert split(one_way) == ("unlimited", Impairment(300.0, 0.014))
        slow = {"up_mbps": 7.83, "down_mbps": 52.95, "delay_up_ms": 10, "delay_down_ms": 60}
        assert split(slow) == ("52.95 Mbit/s down, 7.83 Mbit/s up, 20 ms", Impairment(50.0, 0.0))
        assert split({"up_mbps": "unlimited", "down_mbps": "unlimited", "rtt_ms": 100})[1] == Impairment(100.0, 0.0)

    def test_quic_stands_against_stock_http_2_and_a_memory_of_alt_svc_is_an_arm_of_its_own(self) -> None:
        loads = [load("n", "TCP"), load("n", "TCP+"), load("n", "QUIC"), load("n", "QUIC", cache="altsvc")]
        assert pairs_of(loads, named(STACKS), []) == [PAIR, Pair("QUIC (altsvc)", "TCP")]
        assert pairs_of(loads, named(STACKS), [Pair("QUIC", "TCP+")]) == [
            Pair("QUIC", "TCP+"), Pair("QUIC (altsvc)", "TCP+"),
        ]  # fmt: skip
        with pytest.raises(BadInputError, match=r"No stack of the takes \(QUIC\) is HTTP/2 over TCP"):
            pairs_of([load("n", "QUIC")], named(STACKS), [])

    def test_an_audit_without_one_of_the_six_metrics_fails_and_is_counted(self) -> None:
        loads = [
            load("n", "TCP"), load("n", "QUIC", 1), load("n", "QUIC", 2, tti=None),
            load("n", "QUIC", 3, settled=False), load("n", "QUIC", 4),
        ]  # fmt: skip
        (found,) = series(loads, named({"n": {"rtt_ms": 0}}), [PAIR])
        point = found.points[0].h3
        assert (len(point.audits), point.failed) == (2, 2)


def named(definitions: Mapping[str, Mapping[str, Any]]) -> dict[str, Definition]:
    return {name: Definition(name, name, definition) for name, definition in definitions.items()}


def load(network: str, stack: str, run: int = 1, *, cache: str = "cold", settled: bool = True, **more: Any) -> Load:
    sent = Sent(more.pop("packets", 100), more.pop("bytes", 90_000))
    return Load(
        f"{network}/{stack}/{cache}-{run}", "0" * 64, "page", "0" * 64, network, stack, cache, run, settled,
        {**AUDIT, **more}, Fidelity(1, 0, 0, None, 0), Traffic(None, None, None, None, {"h3": 1}, sent, sent), None,
        None, None, None, None, {},
    )  # fmt: skip


def sweep(worse: float = 1.0, interactive_later_ms: Callable[[float], float] = lambda delay_ms: 0) -> Series:
    """As the paper says: over QUIC LCP is worse by 20 % while nothing is lost, TCP's times grow with loss."""
    networks: dict[str, dict[str, float]] = {f"d{d}": {"delay_down_ms": d} for d in (0, 300, 1000, 2000)}
    networks |= {f"l{loss}": {"delay_down_ms": 300, "loss_down": loss / 1000} for loss in (4, 8, 12)}
    loads = []
    for name, definition in networks.items():
        delay, loss = definition["delay_down_ms"], definition.get("loss_down", 0)
        for run in (1, 2, 3):
            base = 1000.0 + delay + run
            h2: dict[str, Any] = {
                "fcp": base * (1 + 100 * loss),
                "lcp": (base + 500) * (1 + 150 * loss),
                "si": base + 200,
            }
            h3: dict[str, Any] = {"fcp": (base + 20) * (1 + 10 * loss), "lcp": base * 1.9 * worse, "si": base + 150}
            later = interactive_later_ms(delay)
            loads += [
                load(name, "TCP", run, **h2, tti=h2["fcp"] + later, packets=100, bytes=90_000),
                load(name, "QUIC", run, **h3, tti=h3["fcp"] + later, packets=190, bytes=93_000),
            ]
    (found,) = series(loads, named(networks), [PAIR])
    return found


class TestDirections:
    def test_planted_takes_agree_with_every_statement_that_they_were_planted_with(self) -> None:
        found = {line.what: line for line in directions(sweep())}
        assert {what: line.agrees for what, line in found.items() if "desktop" not in what} == {
            "SI at the baseline": True, "LCP": False, "TTI at the baseline": True, "TBT and CLS at the baseline": True,
            "FCP and TTI under delay": True, "FCP and TTI under loss": True, "SI under loss": True,
            "packets to the client under loss": True, "bytes to the client under loss": True,
            "score under delay, mobile": True, "score near 1000 ms, mobile": False,
            "score at the highest loss, mobile": True, "HTTP/2’s score under loss, mobile": True,
        }  # fmt: skip
        assert found["LCP"].ours == "worse over HTTP/3 at 4 of 7 points"
        assert found["packets to the client under loss"].ours == "1.90 times"

    @pytest.mark.parametrize(("delayed_from_ms", "agrees"), [(0, False), (300, True)])
    def test_the_time_to_interactive_is_compared_at_the_baseline_alone(
        self, delayed_from_ms: float, agrees: bool
    ) -> None:
        found = directions(sweep(interactive_later_ms=lambda delay_ms: 500 * (delay_ms >= delayed_from_ms)))
        assert [line.agrees for line in found if line.what == "TTI at the baseline"] == [agrees]

    def test_a_statement_that_does_not_hold_is_reported_with_its_figures(self) -> None:
        found = {line.what: line for line in directions(sweep(worse=0.5))}
        assert (found["LCP"].agrees, found["LCP"].ours) == (False, "worse over HTTP/3 at 0 of 7 points")
        assert found["score under delay, mobile"].agrees is False

    def test_what_one_audit_shows_stays_open(self) -> None:
        loads = [load("n", "TCP"), load("n", "QUIC", si=2000.0)]
        (audit,) = series(loads, named({"n": {"rtt_ms": 0}}), [PAIR])
        found = {line.what: line for line in directions(audit)}
        assert (found["SI at the baseline"].agrees, found["SI at the baseline"].ours) == (
            None, "−500\u00a0ms over HTTP/3",
        )  # fmt: skip
        assert "SI under loss" not in found


PLAN = Plan(
    sites=("early",), networks=("base", "far", "lossy"), stacks=("TCP", "QUIC"), runs=3, stacks_as=STACKS, run_sd=0.02,
    networks_as={
        "base": {"rtt_ms": 0, "up_mbps": "unlimited", "down_mbps": "unlimited"},
        "far": {"rtt_ms": 300, "up_mbps": "unlimited", "down_mbps": "unlimited"},
        "lossy": {"rtt_ms": 300, "loss_up": 0, "loss_down": 0.01, "up_mbps": "unlimited", "down_mbps": "unlimited"},
    },
    metrics_as={
        "base/TCP": {METRIC_OF[key].field: value for key, value in FAST.items()},
        "base/QUIC": {METRIC_OF[key].field: value for key, value in AUDIT.items()},
    },
    over_h3={"QUIC": 4, "TCP": 0}, unsettled=frozenset({"takes/early/far/QUIC/run-02"}),
)  # fmt: skip


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    folder = tmp_path_factory.mktemp("saif")
    arguments = [str(write(PLAN, folder / "batch")), "--as", "saif2020", "--out", str(folder / "report")]
    result = CliRunner().invoke(compare_command, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return folder / "report", result.stdout.replace("\u00a0", " ")


def rows(report: tuple[Path, str], name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO((report[0] / "tables" / f"{name}.csv").read_text())))


class TestCommand:
    def test_it_says_the_scores_of_the_baseline_beside_the_papers(self, report: tuple[Path, str]) -> None:
        assert (
            "early, unlimited, QUIC against TCP: score at the baseline 93 against 99 (mobile), 64 against 86 "
            "(desktop); paper: 65 against 87." in report[1]
        )
        first = rows(report, "scores")[0]
        assert (first["h2_mobile"], first["h3_mobile"], first["gap_mobile"]) == ("99", "93", "6")
        assert (first["paper_h2"], first["paper_h3"], first["paper_gap"]) == ("87", "65", "22")
        assert [row["paper_gap"] for row in rows(report, "scores")] == ["22", "25", ""]

    def test_failed_audits_packets_and_protocols_are_reported_per_point(self, report: tuple[Path, str]) -> None:
        found = {(row["network"], row["arm"]): row for row in rows(report, "points")}
        assert {key: row["failed"] for key, row in found.items() if row["failed"] != "0"} == {("far", "QUIC"): "1"}
        assert "Audits that failed: TCP 0 of 9 and QUIC 1 of 9." in (report[0] / "report.html").read_text()
        assert (found["base", "QUIC"]["h3_share"], found["base", "TCP"]["h3_share"]) == ("1.0", "0.0")
        assert (found["base", "QUIC"]["down_packets"], found["base", "QUIC"]["down_bytes"]) == ("120.0", "168000.0")

    def test_the_figures_of_the_paper_are_files(self, report: tuple[Path, str]) -> None:
        curves = (f"{shown}-over-{over}" for shown in ("lcp", "score-desktop", "score-mobile", "si")
                  for over in ("delay", "loss"))  # fmt: skip
        wanted = [*(f"{name}-early-unlimited" for name in curves), "metrics-early-unlimited-quic"]
        assert sorted(path.stem for path in (report[0] / "figures").iterdir()) == sorted(wanted)

    def test_what_differs_from_version_6_is_said(self, report: tuple[Path, str]) -> None:
        page = (report[0] / "report.html").read_text()
        assert "CLS (the sum of all shifts, cls_sum)" in page
        assert "Delays here are round trips, half of them each way" in page

    def test_every_column_is_explained(self, report: tuple[Path, str]) -> None:
        explained = {(row["file"], row["column"]) for row in rows(report, "columns") if row["meaning"]}
        found = {
            (path.name, column)
            for path in (report[0] / "tables").iterdir() if path.stem != "columns"
            for column in next(csv.reader(io.StringIO(path.read_text())))
        }  # fmt: skip
        assert found == explained

    def test_a_batch_of_which_no_site_counts_is_refused_with_the_reason(self, tmp_path: Path) -> None:
        batch = write(Plan(sites=("alpha",), runs=1, lacking=("alpha",)), tmp_path / "batch")
        arguments = [str(batch), "--as", "saif2020", "--out", str(tmp_path / "report")]
        with pytest.raises(
            BadInputError, match=r"No take counts here: .* Excluded for all stacks, cold cache: the site"
        ):
            CliRunner().invoke(compare_command, arguments, catch_exceptions=False)
