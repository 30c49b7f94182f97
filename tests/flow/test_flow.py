"""Tests all ten stages: record, replay, capture, measure, batch, upload, study, rate, analyse, export."""

import csv
import io
import json
import subprocess
import sys
import time
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml
from platform_process import Platform
from researcher_client import researcher_client

from embedded.export_file import download_export
from eyelevel_core.contracts import check, sha256_of_file, sha256_of_json
from eyelevel_core.contracts.columns import export_columns
from testing.tables import rows_in

pytestmark = [pytest.mark.root, pytest.mark.browser, pytest.mark.services]

REPOSITORY = Path(__file__).resolve().parents[2]
GARDEN = REPOSITORY / "fixtures" / "garden.warc.gz"
VISIT = REPOSITORY / "tests" / "bench" / "ttfb_inside.py"
STACKS = ("TCP+", "QUIC")
PROTOCOLS = {"TCP+": "h2", "QUIC": "h3"}
PARTICIPANTS = 3
RESULTS_S = 90.0
LIVE_SITE = """
ip link set lo up
ip address add 198.51.100.7/32 dev lo
ip route add default dev lo  # the recording proxy drops its first record where there is none
mount --bind hosts /etc/hosts
"$1" -m http.server 80 --bind 198.51.100.7 --directory site &
until "$1" -c "import socket; socket.create_connection(('moss.example', 80))" 2>/dev/null; do sleep 0.2; done
"$1" -m eyelevel record http://moss.example/ -o "$2"
"""
METRICS = ("fvc_ms", "si_ms", "vc85_ms", "lvc_ms", "plt_ms")
CAMPAIGN = f"""
contract = "eyelevel/campaign/1"
name = "flow"
max_attempts = 1
max_outside_share = 1  # beside other tests
seed = 7
networks = ["DSL"]
stacks = {json.dumps(STACKS)}
"""
# a page that is quiet for so long has settled; a small window is filmed and encoded sooner
QUICK = """
quiet_ms = 400
viewport = {width_px = 640, height_px = 360}
[clips]
researcher = false
"""
SITE = f"""
[[sites]]
name = "garden"
recording = "{GARDEN}"
"""


def eyelevel(*arguments: str | Path, status: int = 0) -> str:
    command = [sys.executable, "-m", "eyelevel", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == status, f"{' '.join(command)} ended with {done.returncode}: {done.stderr}"
    return done.stdout


@pytest.fixture(scope="module", params=["quick", pytest.param("default", marks=pytest.mark.soak)])
def capture(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str | Path, ...]:
    """The command of the stage capture: a quick campaign without calibration, or one with all defaults."""
    quick = request.param == "quick"
    campaign = tmp_path_factory.mktemp("flow") / "campaign.toml"
    campaign.write_text(CAMPAIGN + (QUICK if quick else "") + SITE)
    return (
        "capture",
        campaign,
        "--out",
        campaign.with_name("batch"),
        "--no-probe",
        *(["--no-calibrate"] if quick else []),
    )


@pytest.fixture(scope="module")
def captured(capture: tuple[str | Path, ...]) -> Path:
    """Stages replay, capture, measure and batch; the folder of the batch."""
    eyelevel(*capture)
    return Path(capture[3])


@pytest.fixture(scope="module")
def manifest(captured: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((captured / "manifest.json").read_text())
    return loaded


@pytest.fixture(scope="module")
def study(platform: Platform, captured: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Stages upload and study: the demo's study, asked about this batch with fewer trials."""
    value = yaml.safe_load((REPOSITORY / "fixtures" / "study-demo.yaml").read_text())
    value["batch"] = "flow"
    for context in value["contexts"]:
        context["networks"] = ["DSL"]
    value["trials"] = [{"kind": kind, "count": count, "training": 0} for kind, count in (("rate", 2), ("compare", 1))]
    file = tmp_path_factory.mktemp("study") / "study.yaml"
    file.write_text(yaml.safe_dump(value, allow_unicode=True))
    eyelevel("study", "check", file)
    return platform.publish(captured, file)


@pytest.fixture(scope="module")
def votes(platform: Platform, study: dict[str, Any]) -> dict[str, Any]:
    """Stage rate: simulated participants; what their side counted."""
    url = f"{platform.url}/s/{study['fieldings'][0]['slug']}"
    people = ("--participants", str(PARTICIPANTS), "--seed", "3")
    output = platform.eyelevel("simulate", "--study", url, *people, scope="studies")
    counted: dict[str, Any] = json.loads(output)
    return counted


@pytest.fixture(scope="module")
def researcher(platform: Platform) -> Iterator[httpx.Client]:
    with researcher_client(platform) as client:
        yield client


@pytest.fixture(scope="module")
def results(researcher: httpx.Client, study: dict[str, Any], votes: dict[str, Any]) -> dict[str, Any]:
    """Stage analyse: nobody asks for it; it starts by itself when votes come in, and is looked at knowingly."""
    page = f"/api/research/studies/{study['sha256']}"
    researcher.post(f"{page}/unblind").raise_for_status()
    end = time.monotonic() + RESULTS_S
    while time.monotonic() < end:
        found: dict[str, Any] = researcher.get(f"{page}/results", params={"origin": "all"}).json()
        if found["status"] == "fresh" and found["snapshot"]["votes"] == votes["votes"]:
            return found
        time.sleep(0.5)
    raise AssertionError(f"no fresh results within {RESULTS_S:.0f} s: {found['status']}, {found['snapshot']}")


@pytest.fixture(scope="module")
def export(researcher: httpx.Client, study: dict[str, Any], results: dict[str, Any]) -> bytes:
    assert results["status"] == "fresh"
    return download_export(researcher, study["sha256"], origin="all", within_s=RESULTS_S)


def rows(export: bytes, name: str) -> list[dict[str, str]]:
    with zipfile.ZipFile(io.BytesIO(export)) as archive:
        return list(csv.DictReader(io.StringIO(archive.read(name).decode())))


def test_what_was_recorded_of_a_live_site_is_replayed(tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    (site / "index.html").write_text("<!doctype html><title>Moss</title><img src='moss.svg'>")
    (site / "moss.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    (tmp_path / "hosts").write_text("198.51.100.7 moss.example\n")
    recording, report = tmp_path / "moss.warc.gz", tmp_path / "wire.json"
    # a live site with a name, in a network of its own
    unshare = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
    done = subprocess.run(
        [*unshare, "sh", "-euc", LIVE_SITE, "sh", sys.executable, recording],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    eyelevel(
        *("testbed", "run", "--recording", recording, "--stack", "QUIC", "--network", "DSL", "--seed", "1"),
        *("--report", report, "--", sys.executable, VISIT, "quic"),
    )
    server = json.loads(report.read_text())["server"]
    assert server["start_url"] == "https://moss.example/"
    answered = {(request["url"], request["kind"]) for request in server["requests"]}
    assert {("https://moss.example/", "exact"), ("https://moss.example/moss.svg", "exact")} <= answered


def test_every_take_keeps_its_contract_and_its_protocol(captured: Path, manifest: dict[str, Any]) -> None:
    assert Counter(take["stack"] for take in manifest["takes"]) == Counter(STACKS)
    for listed in manifest["takes"]:
        path = captured / listed["path"]
        take = json.loads(path.read_text())
        check(take, "take.1", source=listed["path"])
        assert sha256_of_json(take) == listed["digest"]
        assert take["recording"] == sha256_of_file(GARDEN)
        assert take["outcome"] == "settled"
        check(json.loads((path.parent / "wire.json").read_text()), "wire.1", source="wire.json")
        responses = json.loads((path.parent / "responses.json").read_text())
        assert len(responses) > 10
        assert {response["protocol"] for response in responses} == {PROTOCOLS[take["stack"]["name"]]}
        metrics = take["metrics"]
        assert 24 < metrics["fvc_ms"] <= metrics["vc85_ms"] <= metrics["lvc_ms"]
        # SI is told in whole milliseconds
        assert metrics["fvc_ms"] - 1 <= metrics["si_ms"] <= metrics["lvc_ms"]
        assert metrics["plt_ms"] > 24


def test_both_stacks_were_served_the_same_before_load(captured: Path, manifest: dict[str, Any]) -> None:
    takes = [json.loads((captured / listed["path"]).read_text()) for listed in manifest["takes"]]
    assert [take["fidelity"]["missed"] for take in takes] == [0, 0]
    # the page asks for its letters a few milliseconds after load, which on a busy machine may come before it in one
    # arm: both arms are served them, and only what one of them lacks is a difference
    (scene,) = json.loads((captured / "fidelity.json").read_text())
    assert len(scene["takes"]) == len(takes) == 2
    assert (scene["differences"], scene["not_comparable"]) == ([], [])


def test_measuring_a_film_again_gives_the_same(captured: Path, manifest: dict[str, Any]) -> None:
    listed = manifest["takes"][0]
    measured = json.loads(eyelevel("measure", (captured / listed["path"]).parent, "--json"))
    assert {key: measured[key] for key in METRICS[:-1]} == {key: listed["metrics"][key] for key in METRICS[:-1]}


def test_the_batch_describes_itself(captured: Path, manifest: dict[str, Any]) -> None:
    check(manifest, "batch.1", source="manifest.json")
    people = [clip for clip in manifest["clips"] if clip["audience"] == "participant"]
    seen = [clip for clip in people if clip["purpose"] == "study"]
    assert {clip["purpose"] for clip in people} == {"study", "identical", "control"}
    kinds = Counter((clip["kind"], tuple(clip["stacks"])) for clip in seen)
    assert kinds == Counter(
        [("single", ("TCP+",)), ("single", ("QUIC",)), ("pair", ("TCP+", "QUIC")), ("pair", ("QUIC", "TCP+"))]
    )
    for path, file in manifest["files"].items():
        assert sha256_of_file(captured / path) == file["sha256"]


def test_stacks_are_compared_by_the_very_takes(captured: Path, manifest: dict[str, Any], tmp_path: Path) -> None:
    eyelevel("compare", captured, "--out", tmp_path / "report")
    page = (tmp_path / "report" / "report.html").read_text()
    assert sha256_of_file(captured / "manifest.json") in page
    assert all(stack in page for stack in STACKS)


def test_capturing_again_takes_nothing_again(captured: Path, capture: tuple[str | Path, ...]) -> None:
    before = sha256_of_file(captured / "manifest.json")
    attempts = (captured / "attempts.jsonl").read_text() if (captured / "attempts.jsonl").exists() else ""
    eyelevel(*capture)
    assert sha256_of_file(captured / "manifest.json") == before
    assert ((captured / "attempts.jsonl").read_text() if (captured / "attempts.jsonl").exists() else "") == attempts


def test_the_participants_side_counts_what_the_server_holds(votes: dict[str, Any], export: bytes) -> None:
    held = rows(export, "votes.csv")
    assert votes["completed"] == PARTICIPANTS
    assert len(held) == votes["votes"] == votes["receipts"] == PARTICIPANTS * 3 - votes["skipped"]
    assert len({row["vote_id"] for row in held}) == len(held)


def test_votes_name_the_very_clip_and_its_metrics(manifest: dict[str, Any], export: bytes) -> None:
    clips = {clip["sha256"]: clip for clip in manifest["clips"]}
    takes = {take["digest"]: take for take in manifest["takes"]}
    for row in rows(export, "votes.csv"):
        clip = clips[row["clip_sha256"]]
        if row["trial_kind"] == "compare":
            assert [row["left_stack"], row["right_stack"]] == clip["stacks"]
            assert row["score"] == "" != row["choice"]
            continue
        metrics = takes[clip["takes"][0]]["metrics"]
        assert row["stack"] == clip["stacks"][0]
        assert set(METRICS) <= set(metrics)
        assert {key: float(row[key]) if row[key] else None for key in metrics} == pytest.approx(metrics)
        assert 1 <= int(row["score"]) <= 7


def test_results_are_the_means_of_the_exported_votes(results: dict[str, Any], export: bytes) -> None:
    held = rows(export, "votes.csv")
    for mos in rows_in(results, "mos"):
        scores = [
            int(row["score"])
            for row in held
            if (row["site"], row["network"], row["stack"], row["context"])
            == (mos["site"], mos["network"], mos["stack"], mos["context"])
        ]
        assert mos["n"] == len(scores)
        assert mos["mos"] == pytest.approx(sum(scores) / len(scores))
    assert sum(mos["n"] for mos in rows_in(results, "mos")) == PARTICIPANTS * 2


def test_the_export_says_the_same_without_a_server(results: dict[str, Any], export: bytes, tmp_path: Path) -> None:
    (tmp_path / "export.zip").write_bytes(export)
    eyelevel("analyse", tmp_path / "export.zip", "--origin", "all", "--out", tmp_path / "tables")
    with (tmp_path / "tables" / "mos.csv").open() as file:
        table = {(row["site"], row["network"], row["stack"], row["context"]): row for row in csv.DictReader(file)}
    assert len(table) == len(rows_in(results, "mos"))
    for mos in rows_in(results, "mos"):
        row = table[mos["site"], mos["network"], mos["stack"], mos["context"]]
        assert float(row["mos"]) == pytest.approx(mos["mos"])


def test_the_export_explains_every_column(export: bytes) -> None:
    assert list(rows(export, "votes.csv")[0]) == [column.name for column in export_columns()]
    explained = {row.get("name") or row.get("column") for row in rows(export, "data-dictionary.csv")}
    assert set(rows(export, "votes.csv")[0]) <= explained
