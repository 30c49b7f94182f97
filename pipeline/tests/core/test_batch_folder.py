"""A batch folder is read by one code: what is broken is named with its file, what a crash cut off is skipped."""

import json
import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from eyelevel_core.batch_folder import BatchFolder
from eyelevel_core.batch_folder.takes import FilmedTake, filmed, whole
from eyelevel_core.batch_folder.volatile import read_volatile, volatile_name, write_volatile
from eyelevel_core.contracts import ContractError, sha256_of_bytes
from eyelevel_core.model.attempt import BLOCK_VOIDED, Attempt, Outcome
from eyelevel_core.model.run import RunName
from eyelevel_core.model.scene import Scene
from eyelevel_core.model.volatile import Callback, Volatile, VolatileParameter

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures"
RUN = RunName("garden", "DSL", "QUIC", 1)
VOID = Attempt(RUN.path, 1, Outcome.VOID, "frames lost", "3 frames lost", 4.2, "2026-01-01T00:00:00+00:00")


@pytest.fixture
def folder(tmp_path: Path) -> BatchFolder:
    """One take of the sample batch, without its film."""
    source = FIXTURES / "sample-batch"
    shutil.copy(source / "campaign.toml", tmp_path)
    shutil.copy(source / "fidelity.json", tmp_path)
    shutil.copytree(source / RUN.path, tmp_path / RUN.path)
    return BatchFolder(tmp_path)


def change(path: Path, **changes: Any) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


def test_the_sample_batch_is_read_whole() -> None:
    sample = BatchFolder(FIXTURES / "sample-batch")
    assert sample.campaign().name == "demo"
    takes = sample.takes()
    assert [take.path for take in takes][:2] == ["takes/garden/DSL/QUIC/run-01", "takes/garden/DSL/TCP+/run-01"]
    assert all(filmed(take).end_ms > 0 for take in takes)
    assert all(take.wire() is not None for take in takes)
    scenes = sample.scenes()
    assert scenes is not None
    assert {path for scene in scenes for path in scene.takes} == {take.path for take in takes}
    manifest = sample.manifest()
    assert manifest is not None
    assert {take.digest for take in manifest.takes} == {take.digest for take in takes}
    assert manifest.as_json() == json.loads(sample.manifest_file.read_text())
    others = [path.relative_to(sample.root) for path in sample.other_files()]
    assert [path.name for path in others if len(path.parts) == 1] == [
        *("fidelity.json", "report.json", "calibration.json")
    ]
    # of each site one
    assert Counter(path.parts[0] for path in others if len(path.parts) > 1) == {"masks": 2, "volatile": 2, "checks": 2}
    assert sample.attempts() is None


def test_masks_go_with_a_batch(folder: BatchFolder) -> None:
    folder.masks.mkdir()
    (folder.masks / "ab.json").touch()
    assert folder.root / "masks" / "ab.json" in folder.other_files()


def test_a_run_has_its_take_or_none(folder: BatchFolder) -> None:
    stored = folder.take(RUN)
    assert stored is not None
    assert (stored.folder, stored.take.name) == (folder.take_folder(RUN), RUN)
    assert folder.take(RunName("garden", "DSL", "QUIC", 2)) is None


def test_a_take_in_another_run_s_folder_is_refused(folder: BatchFolder) -> None:
    folder.take_folder(RUN).rename(folder.take_folder(RunName("garden", "DSL", "QUIC", 1, "http")))
    with pytest.raises(ContractError, match=r"http-01 contains the take of takes/garden/DSL/QUIC/run-01; move it"):
        folder.takes()


def test_a_folder_without_takes_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ContractError, match="contains no take; give the folder that eyelevel capture made"):
        BatchFolder(tmp_path).takes()


def test_a_whole_take_has_every_file_that_it_lists(folder: BatchFolder) -> None:
    (take,) = folder.takes()
    with pytest.raises(
        ContractError, match=r"film\.mkv is missing, though take\.json lists it; capture the take again"
    ):
        whole(take)
    change(take.folder / "wire.json", seed=1)
    with pytest.raises(ContractError, match=r"wire\.json does not have the digest that take\.json lists"):
        take.wire()


def test_a_whole_take_has_a_time_for_each_frame_of_its_film(folder: BatchFolder) -> None:
    (stored,) = folder.takes()
    (stored.folder / "film.mkv").write_bytes(b"film")
    listed = replace(stored.take.files["film.mkv"], bytes=4, sha256=sha256_of_bytes(b"film"))
    take = replace(stored, take=replace(stored.take, files={**stored.take.files, "film.mkv": listed}))
    assert len(whole(take).times_ms) == take.take.film.frames
    fewer = replace(take.take, film=replace(take.take.film, frames=1))
    with pytest.raises(ContractError, match=r"the film has 1 frames, but frames\.json has \d+ times; capture"):
        whole(replace(take, take=fewer))
    unlisted = replace(take, take=replace(take.take, files={}))
    with pytest.raises(ContractError, match=r"take\.json does not list film\.mkv among its files"):
        whole(unlisted)
    assert unlisted.wire() is None


def test_a_film_ends_when_its_page_settled_else_with_what_is_known() -> None:
    (take, *_) = BatchFolder(FIXTURES / "sample-batch").takes()
    censored = replace(take.take, settled_ms=None, metrics={**take.take.metrics, "lvc_ms": None})
    cut = replace(censored, film=replace(censored.film, end_ms=None))
    takes = [FilmedTake(take.folder, take.digest, variant, (0.0, 40.0)) for variant in (take.take, censored, cut)]
    assert [ended.end_ms for ended in takes] == [take.take.settled_ms, take.take.film.end_ms, 40.0]
    assert [ended.changed_ms for ended in takes] == [take.take.metrics["lvc_ms"], take.take.film.end_ms, 40.0]


def test_volatile_parameters_are_read_as_written_and_a_callback_must_be_one_of_them(tmp_path: Path) -> None:
    file = tmp_path / volatile_name(Path("garden.warc.gz"))
    learned = Volatile(
        "ab" * 32,
        (VolatileParameter("a.example", "/ad", "cb", "seen"),),
        (Callback("a.example", "/ad", "cb"),),
    )
    write_volatile(learned, file)
    assert (file.name, read_volatile(file)) == ("garden.volatile.json", learned)
    write_volatile(replace(learned, parameters=()), file)
    with pytest.raises(ContractError, match=r"callbacks lists cb of a\.example/ad, which is not in parameters"):
        read_volatile(file)


@pytest.mark.parametrize("text", ["{", "[]", '{"times_ms": 3}', '{"times_ms": [true]}', '{"times_ms": []}'])
def test_times_of_frames_are_a_list_of_numbers(folder: BatchFolder, text: str) -> None:
    (take,) = folder.takes()
    (take.folder / "frames.json").write_text(text)
    with pytest.raises(ContractError, match=r"frames\.json"):
        filmed(take)


def test_attempts_are_read_as_they_were_added(folder: BatchFolder) -> None:
    valid = Attempt(RUN.path, 2, Outcome.VALID, wall_s=None, ended_at="2026-01-01T00:00:09+00:00")
    for attempt in (VOID, valid):
        folder.add_attempt(attempt)
    assert folder.attempts() == [VOID, valid]
    assert [json.loads(line)["outcome"] for line in folder.attempts_file.read_text().splitlines()] == ["void", "valid"]


def test_a_line_that_a_crash_cut_off_is_skipped_wherever_it_is(folder: BatchFolder) -> None:
    folder.add_attempt(VOID)
    with folder.attempts_file.open("a") as file:
        file.write('{"run": "takes/gar')
    assert folder.attempts() == [VOID]
    folder.add_attempt(VOID)
    assert folder.attempts() == [VOID, VOID]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('{"run": 1}', " is missing; add it"),
        (
            json.dumps({**VOID.as_json(), "run": "takes/garden/DSL/QUIC"}),
            'line 1: run is "takes/garden/DSL/QUIC", but must be a run such as',
        ),
        (json.dumps({**VOID.as_json(), "outcome": "fine"}), 'line 1: outcome is "fine", but must be one of valid'),
        ("nonsense}", "line 1 is not JSON"),
    ],
)
def test_a_whole_line_that_is_no_attempt_is_named(folder: BatchFolder, line: str, words: str) -> None:
    folder.attempts_file.write_text(f"{line}\n")
    with pytest.raises(ContractError, match=words) as caught:
        folder.attempts()
    assert str(folder.attempts_file) in str(caught.value)
    assert "Repair or remove that line." in str(caught.value)


def test_an_attempt_that_breaks_the_contract_is_not_written(folder: BatchFolder) -> None:
    with pytest.raises(ContractError, match=r"attempt is .*, but must be"):
        folder.add_attempt(Attempt(RUN.path, 0, Outcome.VOID, BLOCK_VOIDED))
    assert not folder.attempts_file.exists()


def test_fidelity_json_is_checked_when_read_and_when_written(folder: BatchFolder) -> None:
    scenes = folder.scenes()
    assert scenes
    folder.write_scenes(scenes)
    assert folder.scenes() == scenes
    before = folder.fidelity_file.read_bytes()
    with pytest.raises(ContractError, match=r'\[0\]\.cache is "lukewarm"'):
        folder.write_scenes([Scene.of({**scenes[0].as_json(), "cache": "lukewarm"})])
    assert folder.fidelity_file.read_bytes() == before
    folder.fidelity_file.write_text('[{"takes": []}]')
    with pytest.raises(ContractError, match=r"fidelity\.json: .* Run capture again: it rewrites the file\."):
        folder.scenes()
    folder.fidelity_file.unlink()
    assert folder.scenes() is None
