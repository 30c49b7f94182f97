"""The films that the bench of clips paints are takes as a campaign has them."""

import importlib
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
