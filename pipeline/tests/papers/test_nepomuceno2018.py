"""The report about Nepomuceno et al. 2018: planted shares give table III, planted factors the effects."""

import csv
import io
import json
import os
from collections.abc import Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from eyelevel.compare.command import compare_command
from eyelevel.compare.model import Load, Pair, Traffic
from eyelevel.compare.phases import page_phases
from eyelevel.errors import BadInputError
from eyelevel_core.batch_folder.har import HarEntry
from eyelevel_core.model.take import Definition, Fidelity
from eyelevel_papers.nepomuceno2018.effects import boxes, effects, means
from eyelevel_papers.nepomuceno2018.grid import configuration_of, configurations, directions, loss, pairs_of
from eyelevel_papers.nepomuceno2018.pages import by_page, cells, page_rows
from eyelevel_papers.nepomuceno2018.published import (
    CONFIGURATIONS,
    COUNTS,
    LOSSES,
    RTTS_MS,
    TABLE_III,
    truncated_percent,
)
from eyelevel_papers.nepomuceno2018.requests import dominant, phase_rows
from eyelevel_papers.nepomuceno2018.summary import summary
from tests.compare.made import Plan, write

SHARED = Path(os.environ.get("EYELEVEL_SHARED", Path(__file__).resolve().parents[4] / "shared"))
FACTS = SHARED / "reference" / "seed_facts.json"
needs_facts = pytest.mark.skipif(not FACTS.is_file(), reason="the papers' facts are not there: set EYELEVEL_SHARED")
PAIR = Pair("QUIC", "H1")
CONFIGURED = {configuration.name: configuration for configuration in CONFIGURATIONS}
STACKS = {
    "H1": {"transport": "tcp", "http": "1.1", "initial_window_packets": 10, "congestion_control": "cubic"},
    "TCP": {"transport": "tcp", "http": "2", "initial_window_packets": 10, "congestion_control": "cubic"},
    "QUIC": {"transport": "quic", "http": "3", "initial_window_packets": 32, "congestion_control": "cubic"},
    "FOUND": {"transport": "quic", "alt_svc": True, "initial_window_packets": 32, "congestion_control": "cubic"},
}


def load(site: str, network: str, stack: str, run: int = 1, *, cache: str = "cold", **more: Any) -> Load:
    """`plt`, `dcl` (None: unknown) and `phases_ms`; the rest plays no part."""
    times = {"plt": 1000.0, "dcl": 500.0} | {key: more[key] for key in ("plt", "dcl") if key in more}
    return Load(
        f"{site}/{network}/{stack}/{cache}-{run}", "0" * 64, site, "0" * 64, network, stack, cache, run, True, times,
        Fidelity(1, 0, 0, None, 0), Traffic(None, None, None, None), None, None, None, None, None, {},
        phases_ms=more.get("phases_ms"),
    )  # fmt: skip


def named(definitions: Mapping[str, Mapping[str, Any]]) -> dict[str, Definition]:
    return {name: Definition(name, name, definition) for name, definition in definitions.items()}


def planted() -> list[Load]:
    """The paper's batch: of each cell's n pages the first k are faster over QUIC, and other pages have no value."""
    pages = max(n for n, _ in COUNTS.values())
    found = []
    for configuration in CONFIGURATIONS:
        for cache in ("cold", "all"):
            for page in range(pages):
                times: dict[str, dict[str, Any]] = {"QUIC": {}, "H1": {}}
                for metric in ("plt", "dcl"):
                    n, better = COUNTS[metric, cache]
                    faster = page < better[configuration.number - 1]
                    times["QUIC"][metric] = (900.0 if faster else 1100.0) if page < n else None
                    times["H1"][metric] = 1000.0
                found += [
                    load(f"p{page:02d}", configuration.name, name, cache=cache, **metrics)
                    for name, metrics in times.items()
                ]
    return found


class TestPublished:
    def test_the_counts_are_those_of_the_printed_percentages(self) -> None:
        found = {key: tuple(truncated_percent(k, n) for k in better) for key, (n, better) in COUNTS.items()}
        assert found == TABLE_III

    @needs_facts
    def test_they_are_those_of_the_shared_facts(self) -> None:
        facts = json.loads(FACTS.read_text())["nepomuceno_2018"]
        names = {"plt": "onLoad", "dcl": "onContentLoaded", "all": "cache enabled", "cold": "cache disabled"}
        assert {
            key: tuple(facts["quic_better_percent"][names[key[0]]][names[key[1]]]) for key in TABLE_III
        } == TABLE_III
        assert (tuple(facts["rtt_ms"]), tuple(facts["loss"])) == (RTTS_MS, LOSSES)

    def test_configurations_are_numbered_in_the_order_of_round_trips(self) -> None:
        assert [configuration.words for configuration in CONFIGURATIONS if configuration.number in (1, 4, 9, 12)] == [
            "C01 (20 ms, 0 %)", "C04 (20 ms, 2 %)", "C09 (200 ms, 0 %)", "C12 (200 ms, 2 %)",
        ]  # fmt: skip


class TestTableThree:
    def test_planted_shares_give_all_48_values_of_the_paper(self) -> None:
        pages = by_page(planted(), CONFIGURED)
        found = cells(pages, PAIR, page_rows(pages, PAIR))
        assert len(found) == 48
        assert {(cell.metric, cell.cache, cell.configuration.number): cell.percent for cell in found} == {
            (*key, number): percent
            for key, values in TABLE_III.items()
            for number, percent in enumerate(values, start=1)
        }
        assert all(cell.percent == cell.paper_percent for cell in found)
        assert {cell.excluded for cell in found if (cell.metric, cell.cache) == ("plt", "all")} == {96 - 87}

    def test_the_lines_below_it_come_out_as_in_the_paper(self) -> None:
        pages = by_page(planted(), CONFIGURED)
        lines = summary(PAIR, cells(pages, PAIR, page_rows(pages, PAIR)))
        assert [line.ours for line in lines] == [line.paper for line in lines] == [
            "4.30 % (4 of 93; C04, onContentLoaded, cache enabled)",
            "40.62 % (39 of 96; C04, onContentLoaded, cache disabled)",
            "59.37 % (57 of 96; C04, onContentLoaded, cache disabled)",
            "24 of 24",
            "16.09 points",
        ]  # fmt: skip

    def test_a_tie_counts_for_neither_stack(self) -> None:
        loads = [load("a", "C01", stack, plt=700.0) for stack in ("QUIC", "H1")]
        pages = by_page(loads, CONFIGURED)
        cell = cells(pages, PAIR, page_rows(pages, PAIR))[0]
        assert (cell.better, cell.ties, cell.pages, cell.untested) == (0, 1, 1, 1)

    def test_only_a_clear_difference_is_significant_and_tests_are_corrected_within_the_cell(self) -> None:
        times = {
            "clear": ((100.0, 101.0, 102.0), (200.0, 201.0, 202.0)),
            "noise": ((100.0, 300.0, 200.0), (201.0, 101.0, 310.0)),
        }
        loads = [
            load(site, "C05", stack, run, plt=value)
            for site, arms in times.items()
            for stack, values in zip(("QUIC", "H1"), arms, strict=True)
            for run, value in enumerate(values)
        ]
        pages = by_page(loads, CONFIGURED)
        rows = {row.site: row for row in page_rows(pages, PAIR) if row.metric == "plt"}
        assert (rows["clear"].rank, rows["clear"].difference_ms) == (1, -100.0)
        assert rows["clear"].adjusted_p == pytest.approx(2 * (rows["clear"].p_value or 0))
        assert next(cell.undecided for cell in cells(pages, PAIR, list(rows.values())) if cell.metric == "plt") == 1

    def test_runs_without_a_value_are_left_out_and_counted(self) -> None:
        loads = [load("a", "C01", "QUIC", 1, plt=None), load("a", "C01", "QUIC", 2, plt=400.0), load("a", "C01", "H1")]
        (row,) = [row for row in page_rows(by_page(loads, CONFIGURED), PAIR) if row.metric == "plt"]
        assert (row.mean_new_ms, row.runs_new, row.left_out) == (400.0, 1, 1)


class TestGrid:
    def test_networks_are_found_by_their_definition_whatever_their_name(self) -> None:
        networks = named({
            "far": {"rtt_ms": 200, "loss_up": 0.02, "loss_down": 0.02}, "near": {"rtt_ms": 20.0, "loss": 0.0},
            "DSL": {"rtt_ms": 24, "loss": 0.0},
        })  # fmt: skip
        assert {name: configuration.name for name, configuration in configurations(networks).items()} == {
            "near": "C01",
            "far": "C12",
        }

    def test_the_direction_of_loss_is_reported(self) -> None:
        both, down = {"loss_up": 0.01, "loss_down": 0.01}, {"loss_up": 0, "loss_down": 0.01}
        networks = named({"a": {"rtt_ms": 100, **both}, "b": {"rtt_ms": 100, **down}, "c": {"rtt_ms": 100}})
        assert directions(networks.values()) == ["each way", "towards the client only"]
        assert loss({"loss": 0.02}) == (0.02, "of a packet or its answer")
        assert configuration_of({"rtt_ms": 100, "loss_up": 0.02, "loss_down": 0.01}) is None

    def test_two_networks_of_one_configuration_are_refused(self) -> None:
        networks = named({"a": {"rtt_ms": 100, "loss": 0.01}, "b": {"rtt_ms": 100, "loss_up": 0, "loss_down": 0.01}})
        with pytest.raises(BadInputError, match=r"networks a and b are both C07 \(100 ms, 1 %\)"):
            configurations(networks)

    def test_the_stack_that_discovers_quic_stands_against_stock_http_1(self) -> None:
        assert pairs_of(named(STACKS)) == [Pair("FOUND", "H1"), Pair("QUIC", "H1")]
        others = {name: STACKS[name] for name in ("TCP", "QUIC")}
        assert pairs_of(named(others)) == [Pair("QUIC", "TCP")]
        with pytest.raises(BadInputError, match="No stack of the takes \\(TCP\\) uses QUIC"):
            pairs_of(named({"TCP": STACKS["TCP"]}))


class TestEffects:
    def test_planted_factors_come_out_as_geometric_means_over_pages(self) -> None:
        plt = {("a", "C01"): 100.0, ("b", "C01"): 1000.0, ("a", "C09"): 400.0, ("b", "C09"): 9000.0,
               ("a", "C04"): 100.0, ("b", "C04"): 1100.0}  # fmt: skip
        loads = [load(site, network, "QUIC", plt=value, dcl=None) for (site, network), value in plt.items()]
        found = {
            (row.effect, row.to.name): row
            for row in effects(means(by_page(loads, CONFIGURED)), ["QUIC"], ["cold"])
        }  # fmt: skip
        assert set(found) == {("round trip", "C09"), ("loss", "C04")}
        assert found["round trip", "C09"].ratio == pytest.approx(6.0)
        assert found["round trip", "C09"].pages == 2
        assert found["loss", "C04"].ratio == pytest.approx(1.1**0.5)
        assert (found["loss", "C04"].low or 2) < 1 < (found["loss", "C04"].high or 0)

    def test_a_box_holds_the_means_of_pages_and_whiskers_end_before_outliers(self) -> None:
        values = {"a": 100.0, "b": 110.0, "c": 120.0, "d": 130.0, "e": 900.0}
        loads = [load(site, "C01", "QUIC", plt=value) for site, value in values.items()]
        (box,) = boxes(means(by_page(loads, CONFIGURED)), ["QUIC"], metric="plt", cache="cold")
        assert (box.low_ms, box.q1_ms, box.median_ms, box.q3_ms, box.high_ms) == (100, 110, 120, 130, 130)
        assert box.outliers_ms == (900.0,)


def entry(begun_ms: int, timings: Mapping[str, float], **more: Any) -> dict[str, Any]:
    start = f"2026-01-01T00:00:00.{begun_ms:03d}+00:00"
    unknown = dict.fromkeys(("blocked", "dns", "connect", "ssl", "send", "wait", "receive"), -1.0)
    return {
        "startedDateTime": start,
        "request": {"url": "https://a.example/", "method": "GET"},
        "response": {"status": 200, "headers": []},
        "timings": {**unknown, **timings},
        **more,
    }


class TestPhases:
    def test_waiting_for_the_connection_of_another_request_is_kept_apart(self) -> None:
        opens = entry(0, {"blocked": 5, "dns": 1, "connect": 40, "ssl": 20, "send": 1, "wait": 30, "receive": 10})
        waits = entry(16, {"blocked": 34, "send": 2, "wait": 20, "receive": 50})
        elsewhere = entry(0, {"blocked": 50, "wait": 1, "receive": 1}, serverIPAddress="192.0.2.7")
        found = page_phases(map(HarEntry.of, [opens, waits, elsewhere]))
        # of 34 ms from 16 on, the other's connection was being opened until 46
        assert found["blocked_connect"] == pytest.approx(30.0)
        assert found["blocked"] == pytest.approx(5 + 34 + 50 - 30)
        assert (found["dns"], found["connect"], found["send"]) == (1, 40, 3)
        assert (found["wait"], found["receive"]) == (51, 61)

    def test_what_no_request_knows_is_unknown_and_answers_from_the_cache_do_not_count(self) -> None:
        found = page_phases(map(HarEntry.of, [entry(0, {"wait": 3}), entry(0, {"wait": 9}, _fromCache=True)]))
        assert (found["send"], found["blocked"], found["blocked_connect"], found["wait"]) == (None, None, None, 3)

    def test_the_largest_phase_is_counted_page_by_page(self) -> None:
        known = {"connect": 50.0, "receive": 30.0, "wait": 20.0, "blocked": None, "blocked_connect": None, "dns": None}
        loads = [
            load("a", "C01", "H1", phases_ms={**known, "send": None}),
            load("b", "C01", "H1", phases_ms={**known, "send": None, "receive": 80.0}),
            load("c", "C02", "H1", phases_ms={**known, "send": None}),
        ]
        rows = phase_rows(by_page(loads, CONFIGURED), ["H1"], ["cold"])
        found = dominant(rows, "H1", "cold")
        assert found is not None
        assert (found.phase, found.dominant, found.pages) == ("connect", 2, 3)
        assert found.median_share == pytest.approx(0.5)
        send = next(row for row in rows if row.phase == "send" and row.configuration is None)
        assert (send.median_share, send.median_ms) == (None, None)


class Text(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.text = ""
        self.ids: list[str] = []
        self.links: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self.ids += [attributes["id"] or ""] if "id" in attributes else []
        self.links += [attributes["href"] or ""] if "href" in attributes else []

    def handle_data(self, data: str) -> None:
        self.text += data


PLAN = Plan(
    sites=("alpha", "beta", "gamma"), networks=("near", "lossy", "far"), stacks=("H1", "FOUND"), runs=2,
    networks_as={
        "near": {"rtt_ms": 20, "loss_up": 0.0, "loss_down": 0.0, "up_mbps": "unlimited", "down_mbps": "unlimited"},
        "lossy": {"rtt_ms": 20, "loss_up": 0.0, "loss_down": 0.02, "up_mbps": "unlimited", "down_mbps": "unlimited"},
        "far": {"rtt_ms": 200, "loss_up": 0.0, "loss_down": 0.0, "up_mbps": "unlimited", "down_mbps": "unlimited"},
    },
    stacks_as=STACKS, log_gain={"FOUND": -0.5}, run_sd=0.02, over_h3={"FOUND": 3, "H1": 0},
    har={
        "H1": [entry(0, {"blocked": 1, "connect": 60, "send": 0.2, "wait": 20, "receive": 20})],
        "FOUND": [entry(0, {"blocked": 1, "connect": 30, "send": 0.1, "wait": 20, "receive": 70})],
    },
)  # fmt: skip


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    folder = tmp_path_factory.mktemp("papers")
    arguments = [str(write(PLAN, folder / "batch")), "--as", "nepomuceno2018", "--out", str(folder / "report")]
    result = CliRunner().invoke(compare_command, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return folder / "report", result.stdout


class TestCommand:
    def rows(self, report: tuple[Path, str], name: str) -> list[dict[str, str]]:
        return list(csv.DictReader(io.StringIO((report[0] / "tables" / f"{name}.csv").read_text())))

    def test_it_says_the_shares_of_the_networks_that_are_there(self, report: tuple[Path, str]) -> None:
        said = report[1].replace("\u00a0", " ")
        assert "36 page loads of 3 pages over 3 of the paper’s 12 networks; cold visits." in said
        assert (
            "FOUND against H1, onLoad, cache disabled: faster on 100.00 % of pages over C01, C04 and C09 "
            "(paper: 28.57 to 35.16 %)" in said
        )

    def test_every_figure_is_a_file_with_a_table(self, report: tuple[Path, str]) -> None:
        assert sorted(path.stem for path in (report[0] / "figures").iterdir()) == [
            "boxes-plt-cold", "difference-dcl-cold", "difference-plt-cold", "objects",
        ]  # fmt: skip
        assert "The batch has no visit with the cache enabled." in (report[0] / "report.html").read_text()
        assert {"table-3", "differences", "boxes", "phases", "protocols", "objects", "effects", "summary"} <= {
            path.stem for path in (report[0] / "tables").iterdir()
        }

    def test_cells_without_visits_are_empty_and_never_zero(self, report: tuple[Path, str]) -> None:
        rows = self.rows(report, "table-3")
        assert [row["configuration"] for row in rows] == ["C01", "C04", "C09"]
        assert {row["onload_all_percent"] for row in rows} == {""}
        assert [row["onload_cold_better"] for row in rows] == ["3", "3", "3"]
        assert [row["onload_cold_paper_better"] for row in rows] == ["32", "32", "26"]
        assert [row["oncontentloaded_all_paper_percent"] for row in rows] == ["9.67", "4.3", "5.37"]

    def test_the_page_names_the_direction_of_loss_the_phases_and_the_protocols(self, report: tuple[Path, str]) -> None:
        page = Text((report[0] / "report.html").read_text())
        text = page.text.replace("\u00a0", " ")
        assert "Packets are lost towards the client only; the paper does not state the direction" in text
        assert "H1, cold: connect is the largest on 9 of 9 pages (paper: connect)." in text
        assert "FOUND, cold: receive is the largest on 9 of 9 pages (paper: receive)." in text
        assert {row["median"] for row in self.rows(report, "protocols") if row["stack"] == "FOUND"} == {"0.75"}
        assert len(page.ids) == len(set(page.ids))
        for link in page.links:
            assert link[1:] in page.ids if link.startswith("#") else (report[0] / link).is_file()

    def test_every_load_has_its_times_protocols_and_phases(self, report: tuple[Path, str]) -> None:
        found = {row["take"]: row for row in self.rows(report, "loads")}
        assert len(found) == 36
        row = found["takes/alpha/far/FOUND/run-01"]
        assert (row["configuration"], row["h3_share"], row["receive_ms"], row["dns_ms"]) == ("C09", "0.75", "70", "")

    @pytest.mark.parametrize("option", ["--cache", "--correction"])
    def test_options_that_the_paper_decides_are_refused(self, tmp_path: Path, option: str) -> None:
        value = {"--cache": "http", "--correction": "bh"}[option]
        arguments = [str(tmp_path), "--as", "nepomuceno2018", "--out", str(tmp_path / "report"), option, value]
        result = CliRunner().invoke(compare_command, arguments)
        assert (result.exit_code, f"{option} does not apply with --as nepomuceno2018" in result.output) == (2, True)

    def test_every_column_is_explained(self, report: tuple[Path, str]) -> None:
        explained = {(row["file"], row["column"]) for row in self.rows(report, "columns") if row["meaning"]}
        found = {
            (path.name, column)
            for path in (report[0] / "tables").iterdir() if path.stem != "columns"
            for column in next(csv.reader(io.StringIO(path.read_text())))
        }  # fmt: skip
        assert found == explained

    def test_a_batch_without_such_networks_is_refused_in_one_sentence(self, tmp_path: Path) -> None:
        batch = write(Plan(sites=("alpha",), runs=1), tmp_path / "batch")
        arguments = [str(batch), "--as", "nepomuceno2018", "--out", str(tmp_path / "report")]
        with pytest.raises(BadInputError, match=r"No network of the takes \(DSL\) is one of C01 to C12"):
            CliRunner().invoke(compare_command, arguments, catch_exceptions=False)
        assert not list((tmp_path / "report").iterdir())

    def test_a_har_that_was_changed_is_named(self, tmp_path: Path) -> None:
        batch = write(PLAN, tmp_path / "batch")
        har = batch / "takes/alpha/far/H1/run-01/page.har"
        har.write_text(json.dumps({"log": {}}))
        arguments = [str(batch), "--as", "nepomuceno2018", "--out", str(tmp_path / "report")]
        with pytest.raises(ValueError, match=r"run-01/page.har does not have the digest that take.json lists"):
            CliRunner().invoke(compare_command, arguments, catch_exceptions=False)
