"""A damaged or missing export, or an output folder inside it, is refused with one sentence."""

import gzip
import zipfile
from pathlib import Path
from uuid import UUID

import pytest

from eyelevel.analyse.export.reading import open_votes, source_of
from eyelevel.errors import BadInputError

from .command import Run, RunInto
from .exports import NAMES, PLAN, VOTES, in_the_field, rate, text_of


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"score": "five"}, "line 3: score is 'five', but must be of type integer."),
        ({"score": 9}, "line 3: score is 9, but must be a whole number from 1 to 7."),
        ({"score": None}, "line 3: score is empty; a vote needs it."),
        ({"role": "extra"}, "line 3: role is 'extra', but must be one of control, identical, main, repeat, training."),
        ({"trial_kind": "slider"}, "line 3: value is empty; a vote needs it."),
        (
            {"trial_kind": "slider", "value": 101},
            "line 3: value is 101.0, but must be a number from 0 to 100.",
        ),
        ({"trial_kind": "guess"}, "line 3: trial_kind is 'guess', but must be one of compare, rate, slider."),
        ({"si_ms": "nan"}, "line 3: si_ms is 'nan', but must be of type number."),
        ({"clip_sha256": "xyz"}, "line 3: clip_sha256 is 'xyz', but must be of type sha256."),
        ({"received_at": "today"}, "line 3: received_at is 'today', but must be of type datetime."),
        ({"vote_id": UUID(int=1)}, "line 3: the vote 00000000-0000-0000-0000-000000000001 appears twice;"),
        ({"study_sha256": "6" * 64}, "votes.csv contains votes of 2 studies;"),
        ({"si_ms": 801}, f"The clip {'a' * 64} has different metrics in different votes:"),
        ({"trial_kind_version": 1}, "trial_kind_version is 1 and 2 in votes of rate;"),
        ({"layout": "grid"}, "line 3: layout is 'grid', but must be one of column, row."),
    ],
)
def test_a_wrong_vote_is_named(run: Run, tmp_path: Path, change: dict[str, object], sentence: str) -> None:
    path = tmp_path / "votes.csv"
    path.write_text(text_of([VOTES[0], {**VOTES[1], **change}]))
    done = run(path)
    assert (done.code, done.out) == (4, "")
    assert sentence in done.err
    assert done.err.count("\n") == 1


def test_votes_compressed_by_gzip_are_the_same_votes(tmp_path: Path) -> None:
    plain, packed = tmp_path / "votes.csv", tmp_path / "votes.csv.gz"
    plain.write_text(text_of(VOTES), newline="")
    packed.write_bytes(gzip.compress(plain.read_bytes(), mtime=0))
    with open_votes(plain) as one, open_votes(packed) as other:
        assert one.read() == other.read()
    assert source_of(packed) == source_of(plain)
    packed.write_bytes(packed.read_bytes()[:40])
    with pytest.raises(BadInputError, match=r"votes\.csv\.gz is a damaged gzip file"), open_votes(packed) as cut:
        cut.read()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "the column 'vote_id' is missing"),
        (text_of(VOTES).replace("answer_ms", "answer"), "the column 'answer_ms' is missing"),
        (
            text_of(VOTES).replace("\r\n", ",\r\n").replace(NAMES[-1], f"{NAMES[-1]},more", 1).replace("more,", "more"),
            "the column 'more' is unknown",
        ),
        (text_of(VOTES) + "1,2\r\n", f"line 6: 2 cells, but the header has {len(NAMES)}"),
        (text_of(VOTES) + '"', "line 6: not CSV"),
    ],
)
def test_a_wrong_file_is_named(run: Run, tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "votes.csv"
    path.write_text(text, newline="")
    done = run(path)
    assert (done.code, done.out) == (4, "")
    assert sentence in done.err
    assert done.err.startswith(f"eyelevel: {path}")


def test_what_is_not_there_is_named(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "nothing"
    done = run(path)
    said = f"eyelevel: {path} does not exist; give an export's folder, its zip, or its votes.csv.\n"
    assert (done.code, done.out, done.err) == (4, "", said)


def test_a_zip_without_votes_and_a_video_are_refused(run: Run, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "export.zip", "w") as archive:
        archive.writestr("readme.txt", "nothing")
    (tmp_path / "clip.mp4").write_bytes(b"\x00\x00\x00\x18ftyp\xff\xfe")
    assert "contains 0 files named votes.csv" in run(tmp_path / "export.zip").err
    assert run(tmp_path / "clip.mp4").code == 4


def test_an_export_of_programs_alone_says_how_to_analyse_it(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    path.write_text(text_of([rate(9, participant=9, stack="QUIC", score=1, origin="simulated")]), newline="")
    done = run(path)
    assert (done.code, done.out) == (4, "")
    assert f"{path}: all 1 votes have the origin simulated; add --origin simulated." in done.err


def test_the_folder_of_an_export_stays_as_it_is(run_into: RunInto, tmp_path: Path) -> None:
    export = in_the_field(tmp_path / "export", [rate(1, participant=1, stack="QUIC", score=6)], plan=PLAN)
    before = {path.name: path.read_bytes() for path in export.iterdir()}
    for given, out in ((export, export), (export, export / "statistics"), (export / "votes.csv", export / "results")):
        done = run_into(out, given)
        assert (done.code, done.err) == (
            4, f"eyelevel: --out {out} is inside the export {export}, which must not change; give another folder.\n"
        )  # fmt: skip
    (export / "manifest.json").rename(tmp_path / "away.json")
    assert run_into(export, export).code == 4
    (tmp_path / "away.json").rename(export / "manifest.json")
    assert {path.name: path.read_bytes() for path in export.iterdir()} == before


def test_a_file_in_the_place_of_the_output_is_refused(run_into: RunInto, export: Path) -> None:
    done = run_into(export, export)
    assert done.code == 4
    assert "cannot be created as a folder for the tables: File exists." in done.err
