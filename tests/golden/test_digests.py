"""Golden tests: the digests that identify stacks, networks, studies, takes, clips and snapshots.

A digest names data that people have stored and cited. It changes only for a stated reason, with digests.json
changed in the same commit.
"""

import hashlib
import json
import subprocess
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from analysis.snapshots.columns import FILES, PARTS, VOTES
from analysis.snapshots.parquet import parquet_bytes
from analysis.snapshots.parts import Written
from analysis.snapshots.store import manifest_of
from eyelevel.batch.encode import encode
from eyelevel.batch.planar import to_planar
from eyelevel.built import find_testbed
from eyelevel.capture.attempts.take import compose
from eyelevel.loads.inside.observed import Observed
from eyelevel.stacks import Stack
from eyelevel.study.clips_of_batch import read_batch
from eyelevel.video import program
from eyelevel_core.assignment.freeze import freeze
from eyelevel_core.assignment.selection import select_for
from eyelevel_core.contracts import check, sha256_of_bytes, sha256_of_file, sha256_of_json
from eyelevel_core.model.campaign import Campaign
from eyelevel_core.model.film import Progress
from eyelevel_core.model.response import Response
from eyelevel_core.model.run import Run
from eyelevel_core.model.take import FileEntry, Provenance
from eyelevel_core.model.wire import WireReport
from eyelevel_core.study.file import read_study_file

HERE = Path(__file__).parent
FIXTURES = HERE.parents[1] / "fixtures"
GOLDEN = json.loads((HERE / "digests.json").read_text())


def listed(*command: str) -> dict[str, str]:
    printed = subprocess.run([find_testbed(), *command], capture_output=True, text=True, check=True).stdout
    return {entry["name"]: entry["digest"] for entry in json.loads(printed)}


@pytest.mark.root
def test_the_digests_of_all_stacks() -> None:
    assert listed("stacks") == GOLDEN["stacks"]


@pytest.mark.root
def test_the_digests_of_all_networks() -> None:
    assert listed("networks", "--network", "all") == GOLDEN["networks"]


def test_the_digest_of_the_demo_study_over_the_sample_batch() -> None:
    file = read_study_file((FIXTURES / "study-demo.yaml").read_text(), source="study-demo.yaml")
    batch = read_batch(FIXTURES / "sample-batch")
    frozen = freeze(file, select_for(file, batch.clips), batch=batch.sha256)
    assert sha256_of_json(frozen) == GOLDEN["study"]


def test_the_digest_of_a_take_composed_from_fixed_results() -> None:
    value = composed_take()
    check(value, "take.1", source="take.json")
    assert sha256_of_json(value) == GOLDEN["take"]


def test_the_digests_of_stored_takes() -> None:
    manifest = json.loads((FIXTURES / "sample-batch" / "manifest.json").read_text())
    takes = {entry["path"]: entry["digest"] for entry in manifest["takes"]}
    assert takes
    for path, digest in takes.items():
        assert sha256_of_json(json.loads((FIXTURES / "sample-batch" / path).read_text())) == digest, path


@pytest.mark.browser
def test_the_digest_of_a_clip_encoded_from_fixed_pictures(tmp_path: Path) -> None:
    """The encoder's version decides the bytes, too: another ffmpeg needs a digest of its own beside the ones here."""
    version = subprocess.run([program("ffmpeg"), "-version"], capture_output=True, check=True).stdout
    name = version.split()[2].decode()
    rows, columns = np.indices((72, 128))
    pictures = [
        np.stack([(rows * 3 + 7 * n) % 256, (columns * 2) % 256, np.full_like(rows, 40 * n)], axis=-1).astype(np.uint8)
        for n in range(6)
    ]
    shown = ((3 * n, to_planar(picture)) for n, picture in enumerate(pictures))
    encode(shown, size=(128, 72), frame_rate=60, quantizer=16, to=tmp_path / "clip.mp4")
    assert sha256_of_file(tmp_path / "clip.mp4") == GOLDEN["clip"].get(name), f"ffmpeg {name}"


def test_the_digest_of_a_snapshot_of_fixed_rows() -> None:
    rows = {name: [fixed_row(columns, number) for number in (1, 2)] for name, columns in FILES.items()}
    files = {name: parquet_bytes(columns, rows[name]) for name, columns in FILES.items()}
    votes = parquet_bytes(PARTS[VOTES], [fixed_row(PARTS[VOTES], number) for number in (1, 2)])
    part = Written(VOTES, date(2026, 11, 30), 2, sha256_of_bytes(votes), len(votes), [], None)
    assert sha256_of_json(manifest_of("ab" * 32, files, [part], votes=2, sessions=2)) == GOLDEN["snapshot"]


def composed_take() -> dict[str, Any]:
    """A take as `capture` composes it, from values that are all given here."""
    stack = {"name": "QUIC", "digest": "cd" * 32, "definition": {"transport": "quic", "alt_svc": False}}
    url = "https://garden.example/"
    served = {"url": url, "method": "GET", "kind": "exact", "matched_url": url, "status": 200, "body_bytes": 1000}
    response = Response(
        url, "GET", "document", "h3", 200, None, begun_ms=0.0, before_load=True, from_cache=False, failure=None
    )
    return compose(
        run=Run(site="garden", recording="ab" * 32, network="DSL", stack="QUIC", number=2, seed=5, page_seed=6),
        stack=Stack(stack["name"], stack["digest"], stack["definition"]),
        attempt=1,
        campaign=campaign_of(quiet_ms=400),
        seen=Observed.of(
            {
                "given_up": None,
                "settled_ms": 912.5,
                "load_ms": 480.5004,
                "workers": 0,
                "frames": 9,
                "lost_changes": 1,
                "unquiet_frames": 0,
                "late_ms": 4.5,
                "pressure": None,
                "zero_error_ms": 20.0,
                "clock_error_ms": 0.1,
                "clock_bound_ms": 0.5,
                "end_ms": 4000.0,
                "marks": {"navigation": 10.0, "next": 500.25},
                "cpu_idle_share": 0.25,
                "browser": {
                    "fcp_ms": 240.1004,
                    "lcp_ms": 300.0,
                    "cls": 0.0625,
                    "cls_sum": 0.125,
                    "tbt_ms": 0.0,
                    "tti_ms": None,
                    "dcl_ms": 310.5,
                    "ttfb_ms": 56.25,
                },
                "lcp_element": {"selector": "img#hero", "url": f"{url}hero.jpg", "size_px": 90000},
                "browser_version": "156",
                "browser_arguments": ["--kiosk"],
                "page_script_digest": "12" * 32,
            }
        ),
        wire=WireReport.of(
            stored_wire()
            | {
                "recording": {"digest": "ab" * 32},
                "stack": stack,
                "network": {"name": "DSL", "digest": "ef" * 32, "definition": {"rtt_ms": 24.0}},
                "seed": 5,
                "scheduler": "rfc9218",
                "testbed_version": "0.1.0",
                "volatile_sha256": None,
                "server": {
                    "start_url": url,
                    "grouping": "recorded",
                    "requests": [served],
                    "connections": [],
                    "origins": ["garden.example:443"],
                },
            }
        ),
        responses=[response],
        measured=Progress.of({"fvc_ms": 300.0004, "si_ms": 310, "vc85_ms": 300.0, "lvc_ms": None, "progress": []}),
        timing_ms={"set_up": 90.0, "load": 30.5},
        provenance=Provenance({"ffmpeg": "5.1", "xvfb": None}, "34" * 32, (), ""),
        files={"film.mkv": FileEntry(sha256_of_bytes(b"film"), 4, "video/x-matroska")},
    ).as_json()


def stored_wire() -> dict[str, Any]:
    """A whole wire report, for the fields that a take does not contain."""
    path = FIXTURES / "sample-batch" / "takes" / "garden" / "DSL" / "QUIC" / "run-01" / "wire.json"
    value: dict[str, Any] = json.loads(path.read_text())
    return value


def campaign_of(**options: Any) -> Campaign:
    value = {
        "contract": "eyelevel/campaign/1",
        "name": "golden",
        "seed": 1,
        "networks": ["DSL"],
        "stacks": ["QUIC"],
        "sites": [{"name": "garden", "recording": "garden.warc.gz"}],
    }
    return Campaign.of(value | options, source="golden")


def fixed_row(columns: Any, number: int) -> tuple[Any, ...]:
    """A value for each column that depends on its name, its type and the row's number alone."""
    made = {
        "uuid": lambda name: f"{hashlib.sha256(f'{name} {number}'.encode()).hexdigest()[:32]}",
        "sha256": lambda name: hashlib.sha256(f"{name} {number}".encode()).hexdigest(),
        "string": lambda name: f"{name} {number}",
        "integer": lambda name: len(name) + number,
        "number": lambda name: None if number == 2 else len(name) / 8,
        "datetime": lambda _: datetime(2026, 11, 22, 12, 0, number, tzinfo=UTC),
    }
    return tuple(made[column.type](column.name) for column in columns)
