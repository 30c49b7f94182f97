"""A batch folder tells what it holds, after any crash; two commands never work in one folder."""

import json
from pathlib import Path
from typing import Any

import pytest

from eyelevel.capture.ledger import attempts_so_far, claimed, note, taken
from eyelevel.capture.plan import Run
from eyelevel.errors import BadInputError, RefusedError

RUN = Run(site="garden", recording="ab" * 32, network="DSL", stack="QUIC", number=1, seed=5, page_seed=6)
SETTINGS: dict[str, Any] = {
    "viewport": {"width_px": 1280, "height_px": 720},
    "frame_rate": 30,
    "frame_rates": {},
    "quiet_ms": 3000,
}


def put(batch: Path, **changes: Any) -> None:
    folder = batch / RUN.path
    folder.mkdir(parents=True)
    take = {"seed": 5, "recording": "ab" * 32, "viewport": SETTINGS["viewport"], "film": {"frame_rate": 30}, **changes}
    (folder / "take.json").write_text(json.dumps(take))


def test_a_run_with_its_take_is_taken(tmp_path: Path) -> None:
    assert taken(tmp_path, [RUN], SETTINGS) == set()
    put(tmp_path)
    assert taken(tmp_path, [RUN], SETTINGS) == {RUN.path}


@pytest.mark.parametrize("change", [{"seed": 4}, {"recording": "cd" * 32}, {"film": {"frame_rate": 60}}])
def test_a_take_of_another_campaign_is_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    put(tmp_path, **change)
    with pytest.raises(BadInputError, match="was taken by another campaign"):
        taken(tmp_path, [RUN], SETTINGS)


def test_attempts_are_counted_by_run_and_a_torn_line_is_not(tmp_path: Path) -> None:
    assert attempts_so_far(tmp_path) == {}
    note(tmp_path, RUN, 1, cause="frames lost", detail="9 frames lost")
    path = tmp_path / "attempts.jsonl"
    path.write_text(path.read_text() + '{"run": "takes/gard')
    assert attempts_so_far(tmp_path) == {RUN.path: 1}
    note(tmp_path, RUN, 2, cause=None, detail=None)
    assert attempts_so_far(tmp_path) == {RUN.path: 2}
    assert json.loads(path.read_text().splitlines()[-1])["outcome"] == "valid"


def test_a_second_command_in_the_same_folder_is_refused_until_the_first_ends(tmp_path: Path) -> None:
    with claimed(tmp_path), pytest.raises(RefusedError, match="Another capture is at work"), claimed(tmp_path):
        pass
    with claimed(tmp_path):
        pass
