"""A take is whole and of its run, or it is not there."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from eyelevel.capture.attempts.take import FILES, compose, listed, put
from eyelevel.loads.inside.request import Cause, VoidError
from eyelevel.stacks import Stack
from eyelevel_core.contracts import check
from eyelevel_core.model.film import Progress
from eyelevel_core.model.metrics import BROWSER_FIELDS
from eyelevel_core.model.run import Run
from eyelevel_core.model.take import Fidelity, FileEntry, Provenance, Take
from eyelevel_core.model.wire import WireReport
from tests.core.made import campaign
from tests.loads.seen import seen

RUN = Run(site="garden", recording="ab" * 32, network="DSL", stack="QUIC", number=1, seed=5, page_seed=6)
STACK = Stack("QUIC", "cd" * 32, {"transport": "quic"})


LINK = {"forwarded_bytes": 0, "drops_emulation": 0, "oversized": 0}


def wire(**changes: Any) -> dict[str, Any]:
    return {
        "recording": {"digest": RUN.recording},
        "stack": {"name": "QUIC", "digest": "cd" * 32, "definition": {"transport": "quic"}},
        "network": {"name": "DSL", "digest": "ef" * 32, "definition": {"rtt_ms": 24.0}},
        "seed": 5,
        "scheduler": "round-robin",
        "testbed_version": "0.1.0",
        "link": {"down": LINK, "up": LINK},
        "server": {
            "start_url": "https://garden.example/",
            "grouping": "recorded",
            "requests": [],
            "connections": [],
            "origins": ["garden.example:443"],
        },
        "contradictions": [],
        **changes,
    }


def composed(
    *,
    wire_report: dict[str, Any] | None = None,
    files: Mapping[str, FileEntry] | None = None,
    load_ms: float | None = 480.5,
    settled_ms: float | None = None,
    browser: Mapping[str, float | None] | None = None,
) -> Take:
    return compose(
        run=RUN,
        stack=STACK,
        attempt=2,
        campaign=campaign(),
        seen=seen(
            settled_ms=settled_ms, load_ms=load_ms, browser=browser or dict.fromkeys(BROWSER_FIELDS)
        ),
        wire=WireReport.of(wire_report or wire()),
        responses=[],
        measured=Progress.of({"fvc_ms": 300.0, "si_ms": 310, "vc85_ms": 300.0, "lvc_ms": 400.0, "progress": []}),
        timing_ms={"set_up": 90.0, "load": None},
        provenance=Provenance({"ffmpeg": "5.1", "xvfb": None}, "34" * 32, (), ""),
        files=files or {},
    )  # fmt: skip


def attempt_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "attempt"
    folder.mkdir()
    for name in (*FILES, "talk.log", "request.json"):
        (folder / name).write_text(name)
    return folder


def test_a_take_that_has_not_settled_says_so() -> None:
    value = composed()
    assert (value.outcome, value.settled_ms, value.metrics["plt_ms"]) == ("unsettled", None, 480.5)


def test_without_a_load_event_what_was_served_before_it_is_unknown_and_not_nothing(tmp_path: Path) -> None:
    value = composed(files=listed(attempt_folder(tmp_path)), load_ms=None)
    assert value.fidelity == Fidelity(None, None, None, None, None)
    check(value.as_json(), "take.1", source="take.json")


def test_times_are_written_to_the_microsecond_that_clocks_can_tell() -> None:
    value = composed(load_ms=1480.6000000238419, settled_ms=4534.0830078125)
    assert (value.metrics["plt_ms"], value.settled_ms) == (1480.6, 4534.083)


def test_what_the_browser_measured_is_in_the_take_and_unknown_stays_unknown() -> None:
    known = {**dict.fromkeys(BROWSER_FIELDS), "cls": 0.11935763, "tbt_ms": 0.0, "ttfb_ms": 56.30000001}
    value = composed(browser=known)
    assert {name: value.metrics[name] for name in BROWSER_FIELDS} == known | {"cls": 0.119358, "ttfb_ms": 56.3}
    check(value.as_json(), "take.1", source="take.json")


@pytest.mark.parametrize(
    "change",
    [
        {"seed": 6},
        {"recording": {"digest": "00" * 32}},
        {"stack": {"name": "QUIC", "digest": "00" * 32, "definition": {"transport": "quic"}}},
        {"network": {"name": "LTE", "digest": "ef" * 32, "definition": {}}},
        {"volatile_sha256": "cd" * 32},
    ],
)
def test_a_wire_report_of_another_run_voids_the_attempt(change: dict[str, Any]) -> None:
    with pytest.raises(VoidError) as caught:
        composed(wire_report=wire(**change))
    assert caught.value.cause is Cause.BROKEN_RESULT


def test_a_take_comes_into_its_place_with_its_files_and_nothing_else(tmp_path: Path) -> None:
    folder = attempt_folder(tmp_path)
    place = tmp_path / "batch" / RUN.path
    put(composed(files=listed(folder)), folder, place)
    assert not folder.exists()
    assert {path.name for path in place.iterdir()} == {*FILES, "take.json"}
    assert json.loads((place / "take.json").read_text())["seed"] == 5


@pytest.mark.parametrize("field", ["provenance", "fidelity", "seed"])
def test_a_take_without_its_provenance_is_not_written(tmp_path: Path, field: str) -> None:
    folder = attempt_folder(tmp_path)
    value = replace(composed(files=listed(folder)), **{field: None})  # type: ignore[arg-type]
    with pytest.raises(VoidError, match=field):
        put(value, folder, tmp_path / "place")
    assert not (tmp_path / "place").exists()
    assert not (folder / "take.json").exists()
