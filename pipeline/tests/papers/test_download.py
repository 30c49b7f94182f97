"""Downloads: what is measured from the browser's times and the wire report's series, the tables, and one for real."""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from eyelevel.built import find_testbed
from eyelevel.errors import BadInputError
from eyelevel.recorded import responses
from eyelevel.stacks import Stack
from eyelevel_core.contracts import check
from eyelevel_core.model.wire import LinkSeries, WireReport
from eyelevel_papers.download.command import Task, download_command, files, tasks
from eyelevel_papers.download.figure import over_time
from eyelevel_papers.download.file import FILE, ORIGIN, write_recording
from eyelevel_papers.download.measured import BrowserReport, Download, measured, why_void
from eyelevel_papers.download.networks import Named, Network, labelled, networks
from eyelevel_papers.download.tables import Cell, contrasts
from tests.loads.needs import needs_testbed

WIRE: dict[str, Any] = {
    "contract": "eyelevel/wire/1", "testbed_version": "0.1.0", "recording": {"digest": "ab" * 32},
    "stack": {"name": "QUIC", "digest": "cd" * 32, "definition": {}},
    "network": {"name": "DSL", "digest": "ef" * 32, "definition": {}},
    "scheduler": "rfc9218", "seed": 1, "exit_status": 0, "contradictions": [], "notes": [],
    "link": {
        way: {"forwarded_bytes": 1, "forwarded_packets": 1, "packets": 1, "bytes": 1, "drops_queue": 0, "drops_loss": 0,
              "drops_emulation": 0, "oversized": 0}
        for way in ("down", "up")
    },
    "server": {"start_url": f"{ORIGIN}/", "grouping": "recorded", "requests": [], "connections": [], "origins": []},
}  # fmt: skip


def series(counts: list[int], begun_unix_ms: int = 1_000_000) -> LinkSeries:
    """As many packets as counts say, each of 1000 bytes, of which one in each interval is lost."""
    arrived = tuple(max(0, count - 1) for count in counts)
    sizes = [tuple(1000 * count for count in packet_counts) for packet_counts in (counts, arrived)]
    return LinkSeries(100, begun_unix_ms, tuple(counts), sizes[0], arrived, sizes[1])


def download_of(stack: str = "QUIC", run: int = 1, **changed: Any) -> Download:
    return Download(**{
        "network": "DSL", "stack": stack, "run": run, "protocol": "h3", "body_bytes": 10_000, "duration_ms": 2000.0,
        "interval_ms": 100, "arrived_bytes": [2000] * 20, "down_packets": 12, "down_bytes": 10_500, "up_packets": 6,
        "up_bytes": 300, "window_packets": [32.0, 40.0], "repeated_packets": 2, "timeouts": 0, **changed,
    })  # fmt: skip


TOLD: BrowserReport = {"began_unix_ms": 1_000_230.5, "duration_ms": 300.0, "body_bytes": 9000, "protocol": "h3"}


class TestMeasured:
    def test_what_lies_between_request_and_last_byte_counts(self) -> None:
        """The download begins in the third interval, and ends in the sixth."""
        down, up = series([9, 9, 3, 4, 5, 2, 9]), series([1, 1, 2, 2, 2, 2, 7])
        found = measured(TOLD, WireReport.of(WIRE), down, up, network="DSL", run=2)
        assert found.arrived_bytes == (2000, 3000, 4000, 1000)
        assert (found.down_packets, found.down_bytes, found.up_packets, found.up_bytes) == (14, 14_000, 8, 8000)
        assert (found.stack, found.run, found.protocol, found.mean_bytes_per_s) == ("QUIC", 2, "h3", 30_000.0)

    def test_the_window_is_that_of_the_connection_that_sent_most_from_request_to_last_byte(self) -> None:
        """Its samples begin 100 ms after those of the link."""
        over_time = {
            "interval_ms": 100, "begun_unix_ms": 1_000_100, "window_packets": [32.0, 30.5, 40.0, 28.0, 9.0, 8.0],
            "lost_packets": [1, 1, 1, 2, 4, 9], "timeouts": [0, 0, 0, 0, 1, 2], "rtt_ms": [],
        }  # fmt: skip
        ports = [{"address": "198.18.0.1:443", "requests": 1, "body_bytes_sent": size} for size in (5, 9000)]
        server = {**WIRE["server"], "connections": [ports[0], {**ports[1], "series": over_time}]}
        found = measured(
            TOLD, WireReport.of({**WIRE, "server": server}), series([9] * 7), series([1] * 7), network="DSL", run=2
        )
        assert (found.window_packets, found.repeated_packets, found.timeouts) == ((30.5, 40.0, 28.0, 9.0), 3, 1)

    def test_the_peak_is_the_most_within_a_second_and_unknown_of_a_shorter_download(self) -> None:
        arrived = [0] * 5 + [100] * 5 + [300] * 5 + [0] * 5
        assert download_of(arrived_bytes=arrived).peak_bytes_per_s == 2000
        assert download_of(arrived_bytes=arrived[:9]).peak_bytes_per_s is None

    def test_overhead_is_what_was_sent_beyond_the_file(self) -> None:
        assert download_of().overhead == pytest.approx(0.05)

    @pytest.mark.parametrize(
        ("changed", "reason"),
        [
            ({}, None),
            ({"server": None}, "the servers left no report"),
            ({"contradictions": ["pacing is off", "more"]}, "pacing is off"),
        ],
    )
    def test_a_run_whose_wire_is_not_as_defined_is_void(self, changed: dict[str, Any], reason: str | None) -> None:
        assert why_void(WireReport.of({**WIRE, **changed})) == reason

    def test_a_run_whose_emulation_missed_packets_is_void(self) -> None:
        link = {way: {**counters, "drops_emulation": 1} for way, counters in WIRE["link"].items()}
        assert "the emulation missed packets" in str(why_void(WireReport.of({**WIRE, "link": link})))


def test_a_report_with_a_series_keeps_its_contract_and_is_written_without_loss() -> None:
    counts = {"interval_ms": 100, "begun_unix_ms": 5, "packets": [1], "bytes": [40], "forwarded_packets": [1],
              "forwarded_bytes": [40]}  # fmt: skip
    content = {
        **WIRE,
        "server": None,
        "link": {way: {**direction, "series": counts} for way, direction in WIRE["link"].items()},
    }
    check(content, "wire.1", source="wire.json")
    found = WireReport.of(content)
    assert found.link.up.series is not None
    assert (found.link.up.series.bytes, found.as_json()) == ((40,), content)
    assert WireReport.of(WIRE).link.up.series is None
    assert WireReport.of(WIRE).as_json() == WIRE


def test_the_recording_has_a_page_and_a_file_of_the_size(tmp_path: Path) -> None:
    write_recording(tmp_path / "download.warc", 1000)
    found = [(response.url, response.body_bytes) for response in responses(tmp_path / "download.warc")]
    assert found[0][0] == f"{ORIGIN}/"
    assert found[1:] == [(f"{ORIGIN}{FILE}", 1000)]


STACKS = {
    "TCP": Stack("TCP", "", {"transport": "tcp", "http": "2"}),
    "QUIC": Stack("QUIC", "", {"transport": "quic", "http": "3", "alt_svc": False}),
}
CELLS = [
    Cell(
        "DSL",
        "TCP",
        [download_of("TCP", run, protocol="h2", duration_ms=2000.0 + 100 * run) for run in (1, 2)],
        failed=0,
    ),
    Cell("DSL", "QUIC", [download_of(run=run, duration_ms=1000.0 + 100 * run, down_bytes=12_600) for run in (1, 2)], 1),
    Cell("LTE", "QUIC", [], failed=2),
]


class TestTables:
    @pytest.mark.parametrize(
        ("protocols", "protocol", "all_of_them", "paper"),
        [
            (["h3", "h3"], "h3", "h3 2", "1.24"),
            (["h2", "h2"], "h2", "h2 2", "1.03"),
            (["h2", "h3", "h3"], None, "h3 2, h2 1", ""),
            (["h3", None], None, "h3 1, unknown 1", ""),
            (["http/1.1"], "http/1.1", "http/1.1 1", ""),
            ([], None, "", ""),
        ],
    )
    def test_what_carried_the_file_decides_whatever_the_stack_may_discover(
        self, protocols: list[str | None], protocol: str | None, all_of_them: str, paper: str
    ) -> None:
        """A stack that discovers QUIC by Alt-Svc downloads over the TCP connection of the page, or over QUIC."""
        downloads = [download_of("QUIC+ALTSVC", run, protocol=name) for run, name in enumerate(protocols, start=1)]
        cell = Cell("DSL", "QUIC+ALTSVC", downloads, failed=0)
        assert (cell.protocol, cell.protocols) == (protocol, all_of_them)
        (row,) = csv.DictReader(files([cell])["downloads.csv"].splitlines())
        assert (row["protocols"], row["paper_mean_mb_per_s"]) == (all_of_them, paper)
        assert [found.new.stack for found in contrasts([CELLS[0], cell])] == (
            ["QUIC+ALTSVC"] if protocol == "h3" else []
        )

    def test_quic_stands_against_http_2_where_both_have_downloads(self) -> None:
        (found,) = contrasts(CELLS)
        assert (found.new.stack, found.reference.stack, found.new.network) == ("QUIC", "TCP", "DSL")
        assert found.longer_ms is not None
        assert found.longer_ms.difference == -1000.0
        assert found.more(lambda run: run.down_bytes) == pytest.approx(0.2)

    def test_unknown_peaks_have_no_mean(self) -> None:
        cell = Cell("DSL", "QUIC", [download_of(), download_of(run=2, arrived_bytes=[1])], failed=0)
        assert cell.mean(lambda run: run.peak_bytes_per_s) is None
        assert CELLS[2].mean(lambda run: run.duration_ms) is None

    def test_throughput_is_the_mean_of_downloads_that_have_not_ended(self) -> None:
        cell = Cell(
            "DSL", "QUIC", [download_of(arrived_bytes=[1000, 2000]), download_of(run=2, arrived_bytes=[3000])], 0
        )
        assert np.array(over_time(cell)) == pytest.approx(np.array([(0.05, 0.02), (0.15, 0.02)]))

    def test_files_have_the_papers_figures_every_run_and_explained_columns(self) -> None:
        found = files(CELLS)
        assert set(found) == {
            "downloads.csv", "contrasts.csv", "runs.csv", "throughput.csv", "columns.csv", "throughput-DSL.svg",
            "windows-DSL.svg",
        }  # fmt: skip
        rows = list(csv.DictReader(found["downloads.csv"].splitlines()))
        assert [(row["stack"], row["downloads"], row["failed"], row["paper_mean_mb_per_s"]) for row in rows] == [
            ("TCP", "2", "0", "1.03"), ("QUIC", "2", "1", "1.24"), ("QUIC", "0", "2", "")
        ]  # fmt: skip
        assert rows[2]["duration_ms"] == ""
        assert len(found["throughput.csv"].splitlines()) == 1 + 4 * 20
        explained = {(row["file"], row["column"]) for row in csv.DictReader(found["columns.csv"].splitlines())}
        for name in ("downloads.csv", "contrasts.csv", "runs.csv", "throughput.csv"):
            assert {column for file, column in explained if file == name} == set(found[name].splitlines()[0].split(","))
        assert "TCP: up to 0.02 MB/s, until 2.2 s. QUIC: up to 0.02 MB/s, until 1.2 s." in found["throughput-DSL.svg"]
        assert "QUIC: up to 40.00 packets, until 1.2 s." in found["windows-DSL.svg"]


def test_stacks_take_turns_and_every_second_run_is_reversed() -> None:
    chosen = [STACKS["TCP"], STACKS["QUIC"]]
    dsl = Network("DSL", "DSL")
    assert list(tasks(chosen, [dsl], 2)) == [
        Task(STACKS["TCP"], dsl, 1), Task(STACKS["QUIC"], dsl, 1), Task(STACKS["QUIC"], dsl, 2),
        Task(STACKS["TCP"], dsl, 2),
    ]  # fmt: skip


def entry(name: str, digest: str) -> Named:
    return Named(name, digest)


def test_networks_of_one_name_are_told_apart_by_their_digests_and_a_definition_counts_once() -> None:
    entries = {
        "DSL": entry("DSL", "174da4b18f3b"),
        "a/eight.json": entry("eight", "3d10361af642"),
        "b/eight.json": entry("eight", "aaaaaaaaaaaa"),
        "copy.json": entry("eight", "3d10361af642"),
    }
    assert labelled(entries) == [
        Network("DSL", "DSL"),
        Network("a/eight.json", "eight 3d10361a"),
        Network("b/eight.json", "eight aaaaaaaa"),
    ]


def test_names_that_differ_only_in_what_no_file_name_has_are_told_apart() -> None:
    entries = {"a.json": entry("a b", "11111111111"), "b.json": entry("A_b", "22222222222")}
    assert [network.label for network in labelled(entries)] == ["a b 11111111", "A_b 22222222"]


def test_networks_of_one_name_have_their_own_contrasts_and_figures() -> None:
    """Without it, QUIC over the one would be compared with TCP over the other."""
    cells = [
        Cell(label, stack, [download_of(stack, protocol=protocol)], failed=0)
        for label in ("eight 3d10361a", "eight aaaaaaaa")
        for stack, protocol in (("TCP", "h2"), ("QUIC", "h3"))
    ]
    assert [(found.new.network, found.reference.network) for found in contrasts(cells)] == [
        ("eight 3d10361a", "eight 3d10361a"),
        ("eight aaaaaaaa", "eight aaaaaaaa"),
    ]
    assert {"throughput-eight-3d10361a.svg", "throughput-eight-aaaaaaaa.svg"} < set(files(cells))


@needs_testbed
def test_an_unknown_stack_and_a_missing_file_are_named(tmp_path: Path) -> None:
    asked = ["--out", str(tmp_path / "out")]
    result = CliRunner().invoke(download_command, ["--stack", "SPDY", *asked])
    assert result.exit_code == 2
    assert "'SPDY' is not a stack" in result.output
    result = CliRunner().invoke(download_command, ["--network", "none.json", *asked])
    assert "--network none.json: the file does not exist" in str(result.exception)
    (tmp_path / "bad.json").write_text('{"name": "bad", "down_mbps": 8, "up_mbps": 8, "rtt_ms": -20}')
    result = CliRunner().invoke(download_command, ["--network", str(tmp_path / "bad.json"), *asked])
    assert isinstance(result.exception, BadInputError)
    assert str(result.exception) == (
        f"--network {tmp_path}/bad.json: network bad: rtt_ms is -20, but must be from 0 to 60000."
    )
    assert not (tmp_path / "out").exists()


@needs_testbed
def test_two_files_of_one_name_become_two_networks(tmp_path: Path) -> None:
    for folder, mbps in (("a", 8), ("b", 9)):
        (tmp_path / folder).mkdir()
        link = {"name": "DSL", "down_mbps": mbps, "up_mbps": 8, "rtt_ms": 20, "queue_ms": 100}
        (tmp_path / folder / "DSL.json").write_text(json.dumps(link))
    places = ["DSL", str(tmp_path / "a" / "DSL.json"), str(tmp_path / "b" / "DSL.json")]
    found = networks(find_testbed(), places)
    assert [network.place for network in found] == places
    assert [network.label.split()[0] for network in found] == ["DSL"] * 3
    assert len({network.label for network in found}) == 3


@needs_testbed
@pytest.mark.root
@pytest.mark.browser
@pytest.mark.realtime
def test_a_file_is_downloaded_over_both_protocols_at_the_rate_of_the_link(tmp_path: Path) -> None:
    """4 MB over 8 Mbit/s take 4 s and what slow start costs; 1 MB/s is the most that the link carries."""
    network = tmp_path / "eight.json"
    network.write_text(json.dumps({"name": "eight", "down_mbps": 8, "up_mbps": 8, "rtt_ms": 20, "queue_ms": 100}))
    out = tmp_path / "out"
    command = [sys.executable, "-m", "eyelevel", "download", "--bytes", "4000000", "--runs", "1"]
    done = subprocess.run(
        [*command, "--network", str(network), "--out", str(out)], capture_output=True, text=True, check=False,
        timeout=120, env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    rows = {row["stack"]: row for row in csv.DictReader((out / "downloads.csv").read_text().splitlines())}
    runs = {row["stack"]: row["protocol"] for row in csv.DictReader((out / "runs.csv").read_text().splitlines())}
    assert runs == {"TCP": "h2", "QUIC": "h3"}
    for stack, row in rows.items():
        assert 4000 < float(row["duration_ms"]) < 6000, stack
        assert 0.95e6 < float(row["peak_bytes_per_s"]) < 1.05e6, stack
        assert 0.02 < float(row["overhead"]) < 0.2, stack
        assert float(row["down_packets"]) * 1500 >= 4e6, stack
    assert (out / "throughput-eight.svg").is_file()
    assert "eight.json, QUIC, run 1: 4,000,000 bytes in" in done.stderr
