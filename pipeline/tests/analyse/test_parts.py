"""`eyelevel analyse --part` and `--merge` give the tables of one run, and refuse what does not belong together."""

import zipfile
from pathlib import Path

import pytest

from eyelevel.analyse.parts.asked import Part, parse_part

from .command import Run, RunInto, table
from .exports import compare, rate, text_of

TABLES = ("mos", "comparisons", "correlations", "points", "values", "identical", "repeats", "layouts")


@pytest.fixture
def votes(tmp_path: Path) -> Path:
    """Of forty people, two of them programs."""
    rows = []
    for person in range(40):
        fields = {"origin": "simulated"} if person < 2 else {}
        stacks = ("QUIC", "TCP+") if person % 2 else ("TCP+", "QUIC")
        for place, stack in enumerate(stacks, start=1):
            score = 1 + (person * 7 + place * 3) % 7
            layout = "row" if person % 3 else "column"
            number = 10 * person + place
            vote = rate(number, participant=person, stack=stack, score=score, position=place, layout=layout)
            rows.append(vote | fields)
            if person % 4 == 0:
                again = {"role": "repeat", "position": place + 5, "repeats_position": place, "score": 1 + score % 7}
                rows.append(vote | fields | again | {"vote_id": f"00000000-0000-0000-0001-{number:012}"})
        pair = compare(10 * person + 5, participant=person, choice=("left", "right", "none")[person % 3])
        rows.append(pair | fields)
        same = {
            "right_stack": "TCP+",
            "role": "identical",
            "position": 9,
            "vote_id": f"00000000-0000-0000-0002-{person:012}",
        }
        rows.append(pair | fields | same)
    path = tmp_path / "votes.csv"
    path.write_text(text_of(rows), newline="")
    return path


def assert_same(one: Path, other: Path) -> None:
    for name in TABLES:
        rows, others = table(one / f"{name}.csv"), table(other / f"{name}.csv")
        assert len(rows) == len(others), name
        assert rows or name == "values", name
        for row, its in zip(rows, others, strict=True):
            for column, cell in row.items():
                try:
                    assert float(cell) == pytest.approx(float(its[column]), rel=1e-9), f"{name}.{column}"
                except ValueError:
                    assert cell == its[column], f"{name}.{column}"


@pytest.mark.parametrize("origin", [(), ("--origin", "all")])
def test_parts_give_the_tables_of_one_run(
    run_into: RunInto, votes: Path, tmp_path: Path, origin: tuple[str, ...]
) -> None:
    assert run_into(tmp_path / "at-once", votes, "--no-bootstrap", *origin).code == 0
    for part in range(3):
        done = run_into(tmp_path / "parts", votes, "--part", f"{part}/3", *origin)
        assert (done.code, done.err) == (0, f"Wrote {tmp_path / 'parts' / f'part-{part}-of-3.json'}.\n")
    done = run_into(tmp_path / "merged", "--merge", tmp_path / "parts")
    people, count = (40, 180) if origin else (38, 170)
    assert done.out == f"{count} votes of {people} participants; the tables are in {tmp_path / 'merged'}.\n"
    assert_same(tmp_path / "at-once", tmp_path / "merged")
    assert not (tmp_path / "merged" / "hypotheses.csv").exists()


def test_a_zip_is_read_as_well(run_into: RunInto, votes: Path, tmp_path: Path) -> None:
    packed = tmp_path / "export.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.write(votes, "votes.csv")
    run_into(tmp_path / "plain", votes, "--part", "0/2")
    run_into(tmp_path / "packed", packed, "--part", "0/2")
    one, other = ((tmp_path / name / "part-0-of-2.json").read_text() for name in ("plain", "packed"))
    assert one == other


def test_each_participant_is_in_one_part() -> None:
    assert parse_part("3/16") == Part(3, 16)
    assert Part(3, 16).file == "part-03-of-16.json"
    for wrong in ("3", "3/3", "-1/3", "a/b", "1/0", "0/1234567"):
        with pytest.raises(ValueError, match="give K/N with K from 0 to N - 1"):
            parse_part(wrong)


def test_a_missing_part_and_a_part_of_other_votes_are_named(run_into: RunInto, votes: Path, tmp_path: Path) -> None:
    parts = tmp_path / "parts"
    run_into(parts, votes, "--part", "0/3")
    done = run_into(tmp_path / "merged", "--merge", parts)
    assert (done.code, done.err) == (
        4, f"eyelevel: {parts} lacks 2\u00a0parts of 3, such as 1/3; make them first.\n"
    )  # fmt: skip
    run_into(parts, votes, "--part", "1/2")
    done = run_into(tmp_path / "merged", "--merge", parts)
    assert done.code == 4
    assert "merge the parts of one export" in done.err
    (parts / "part-1-of-2.json").write_text("{}")
    assert "Make the part again." in run_into(tmp_path / "merged", "--merge", parts).err
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "has no parts; make them with --part K/N" in run_into(tmp_path / "merged", "--merge", empty).err


@pytest.mark.parametrize(
    "arguments", [("--part", "0/2", "--merge", "."), ("--part", "0/2"), ("--merge", ".", "--origin", "all")]
)
def test_parts_go_with_an_export_and_a_merge_with_nothing(run: Run, arguments: tuple[str, ...]) -> None:
    done = run(*arguments)
    assert done.code == 2
    assert "Give an export with --part K/N and --out, or --merge FOLDER and --out; no other options." in done.err


def test_a_file_that_is_no_export_is_one_sentence(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    path.write_text("a,b\n1,2\n")
    done = run(path, "--part", "0/2")
    assert (done.code, done.err.count("\n"), "Traceback" in done.err) == (4, 1, False)
    assert done.err == f"eyelevel: {path} has no column session_id; give an export of the platform.\n"
