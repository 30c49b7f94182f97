"""The films that the bench of clips paints are takes as a campaign has them."""

import importlib
import json
from pathlib import Path

import pytest

from eyelevel_core.batch_folder import BatchFolder


def test_painted_films_are_read_as_takes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # benches import each other by their names alone, as scripts do
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    clips = importlib.import_module("clips")
    for stack in clips.STACKS:
        clips.write_take(tmp_path, stack, "still")
    (tmp_path / "campaign.toml").write_text(clips.CAMPAIGN)
    assert len(BatchFolder(tmp_path).takes()) == len(clips.STACKS)
    # else no clip agrees with its film, and each is made again and again
    for path in tmp_path.rglob("take.json"):
        take = json.loads(path.read_text())
        painted = {name: take["metrics"][f"{name}_ms"] for name in ("fvc", "si", "vc85", "lvc")}
        assert {name: take["metrics"][f"{name}_plain_ms"] for name in painted} == painted
        assert json.loads(path.with_name("frames.json").read_text())["end_ms"] == take["film"]["end_ms"]
