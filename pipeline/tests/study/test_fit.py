"""`eyelevel study fit`: the study of 2019 over batches that it was not written for."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from eyelevel.errors import BadInputError
from eyelevel.study.clips_of_batch import Batch
from eyelevel.study.command import study
from eyelevel.study.fit import changes, fitted, text_of
from eyelevel_core.assignment.clip import Clip
from eyelevel_core.assignment.selection import Selection, read_over_batch
from eyelevel_core.study.file import read_study_file
from eyelevel_core.study.parse import StudyError

EXAMPLE = Path(__file__).resolve().parents[3] / "docs" / "guides" / "study-2019.yaml"
DIGEST = "0" * 64


def written() -> dict[str, Any]:
    return dict(read_study_file(EXAMPLE.read_text(encoding="utf-8"), source=EXAMPLE.name).written)


def over(clips: Sequence[Clip], training_site: str | None = None) -> tuple[dict[str, Any], Selection]:
    """The fitted study, and what publishing would choose for it."""
    found = fitted(written(), clips, batch=DIGEST, training_site=training_site)
    _, selection = read_over_batch(text_of(found), source="fitted", clips_of=lambda name: clips)
    return found, selection


def test_a_study_keeps_what_the_batch_has(batch: Batch) -> None:
    study, selection = over(batch.clips)
    assert [context["networks"] for context in study["contexts"]] == [["DSL", "LTE"], ["DSL", "LTE"], ["MSS"]]
    assert study["trials"][0]["stacks"] == ["TCP+", "QUIC"]
    assert study["trials"][1]["pairs"] == [["TCP+", "QUIC"]]
    assert "sites" not in study["trials"][1]
    assert [hypothesis["key"] for hypothesis in study["plan"]["hypotheses"]] == ["H1", "H2", "H3"]
    assert study["consent"] == written()["consent"]
    assert {choice.clip.site for choice in selection.chosen} == {"alpha", "beta"}


def test_what_is_practised_with_is_not_asked_about(batch: Batch) -> None:
    _, selection = over(batch.clips, "beta")
    sites = {(choice.role, choice.clip.site) for choice in selection.chosen}
    assert sites == {("main", "alpha"), ("training", "beta")}


def test_numbers_are_lowered_to_what_one_recording_gives(batch: Batch) -> None:
    clips = [clip for clip in batch.clips if (clip.site, clip.network) == ("alpha", "LTE")]
    study, selection = over(clips)
    assert [(block["count"], block["repeats"]) for block in study["trials"]] == [(2, 1), (1, 0)]
    assert [context["key"] for context in study["contexts"]] == ["work", "free-time"]
    assert study["plan"]["hypotheses"][1]["over"] == ["LTE"]
    assert study["controls"]["videos"]["count"] == 0
    assert selection.design.trial_count < 12 <= written()["controls"]["questions"][1]["after"]


def test_every_change_has_a_line(batch: Batch) -> None:
    before = written()
    lines = list(changes(before, fitted(before, batch.clips, batch=DIGEST, training_site="beta")))
    assert f"batch: wolsing2019 -> {DIGEST}" in lines
    assert "training_site: w3.org -> beta" in lines
    assert "contexts[2].networks: DA2GC is removed" in lines
    assert "trials[0].stacks: TCP+BBR is removed" in lines
    assert "trials[1].pairs: [TCP, TCP+] is removed" in lines
    assert "controls.videos.count: 2 -> 0" in lines
    assert list(changes(before, before)) == []


def test_a_batch_without_any_pair_cannot_be_fitted(batch: Batch) -> None:
    singles = [clip for clip in batch.clips if clip.kind == "single"]
    with pytest.raises(StudyError, match=r"trials\[1\] selects no clip"):
        fitted(written(), singles, batch=DIGEST, training_site=None)


def test_the_study_file_itself_is_not_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "study.yaml"
    file.write_text("name: kept")
    with pytest.raises(BadInputError, match="is the study file itself; give another file"):
        CliRunner().invoke(
            study, ["fit", str(file), "--batch", str(tmp_path), "--out", str(file)], catch_exceptions=False
        )
    assert file.read_text() == "name: kept"
