"""`eyelevel analyse` writes the tables of an export, as folder, zip or votes.csv, and prints a summary."""

import zipfile
from pathlib import Path

from eyelevel_core.contracts.columns import export_columns, play_columns
from eyelevel_core.tables import csv_text

from .command import Run, RunInto, table
from .exports import VOTES, compare, rate, text_of

SIMULATED = "1\u00a0participant was simulated: programs, whose votes say nothing about people."
METRICS = [("FVC", 0), ("SI", 1), ("VC85", 0), ("LVC", 0), ("PLT", 0)]


def test_a_csv_gives_every_table_and_a_summary(run: Run, export: Path, tmp_path: Path) -> None:
    done = run(export)
    assert (done.code, done.err) == (
        0, f"Computing tables in depth ...\nTables and report.html are in {tmp_path / 'out'}.\n"
    )  # fmt: skip
    assert done.out.splitlines()[:4] == [
        "4\u00a0votes of 2\u00a0participants.",
        "MOS 5.00 [1.00, 7.00]  n=2  garden DSL QUIC work",
        "MOS 2.00  n=1  garden DSL TCP+ work",
        "QUIC faster 100% [21%, 100%], TCP+ faster 0%, no difference 0%  n=1  garden DSL work",
    ]
    mos = table(tmp_path / "out" / "mos.csv")
    assert [(row["stack"], row["n"], row["mos"], row["sd"]) for row in mos[1:]] == [("TCP+", "1", "2.0", "")]
    assert [row["prefer_a"] for row in table(tmp_path / "out" / "comparisons.csv")] == ["1"]
    si = table(tmp_path / "out" / "correlations.csv")[1]
    assert (si["metric"], si["clips"], si["votes"], si["pearson"]) == ("si", "2", "3", "")
    assert [row["si_ms"] for row in table(tmp_path / "out" / "points.csv")] == ["800.0", "1200.5"]
    described = {(row["file"], row["column"]) for row in table(tmp_path / "out" / "data-dictionary.csv")}
    assert {("mos.csv", name) for name in mos[0]} <= described


def test_other_roles_and_kinds_have_tables_of_their_own(run: Run, tmp_path: Path) -> None:
    identical = {**compare(5, participant=1, choice="left"), "left_stack": "QUIC", "role": "identical", "position": 2}
    again = rate(6, participant=1, stack="QUIC", score=3, role="repeat", position=3, repeats_position=1)
    slider = {**rate(7, participant=3, stack="QUIC", score=0, trial_kind="slider"), "score": None, "value": 62.5}
    (tmp_path / "votes.csv").write_text(
        text_of([VOTES[0], identical, again, {**slider, "origin": "simulated"}]), newline=""
    )
    done = run(tmp_path, "--origin", "all")
    assert done.out.splitlines() == [
        f"4\u00a0votes of 2\u00a0participants. {SIMULATED}",
        "MOS 6.00  n=1  garden DSL QUIC work",
        *(
            f"MOS and {m} in DSL: unknown (too few clips: {n} of at least 10)  ({n} clips, {n} votes)"
            for m, n in METRICS
        ),
        "slider 62.5  n=1  garden DSL QUIC work",
        "identical pairs: a difference seen in 100% [21%, 100%], left 1, right 0, no difference 0",
        "rate asked twice: same answer 0% [0%, 79%], 3.00 apart on average  n=1",
        "No predictions for left-out sites: it needs 10 clips of 6 sites, because it leaves out one; there are 1 of 1.",
    ]
    assert [row["mean"] for row in table(tmp_path / "out" / "values.csv")] == ["62.5"]
    assert [row["share_different"] for row in table(tmp_path / "out" / "identical.csv")] == ["1.0"]
    assert [(row["kind"], row["mean_difference"]) for row in table(tmp_path / "out" / "repeats.csv")] == [
        ("rate", "3.0")
    ]


def test_votes_of_programs_are_left_out_unless_asked_for(run: Run, tmp_path: Path) -> None:
    programs = rate(9, participant=9, stack="QUIC", score=1, origin="simulated")
    (tmp_path / "votes.csv").write_text(text_of([VOTES[0], programs]), newline="")
    lines = {origin: run(tmp_path, "--origin", origin).out.splitlines()[0] for origin in ("person", "simulated", "all")}
    assert lines == {
        "person": (
            "1\u00a0vote of 1\u00a0participant. 1\u00a0simulated participant is left out; to include them, "
            "add --origin all."
        ),
        "simulated": f"1\u00a0vote of 1\u00a0participant. {SIMULATED}",
        "all": f"2\u00a0votes of 2\u00a0participants. {SIMULATED}",
    }
    run(tmp_path)
    assert [row["mos"] for row in table(tmp_path / "out" / "mos.csv")] == ["6.0"]


def test_votes_of_programs_that_are_left_out_are_no_departure(run: Run, tmp_path: Path) -> None:
    programs = rate(9, participant=9, stack="QUIC", score=1, origin="simulated")
    (tmp_path / "votes.csv").write_text(text_of([VOTES[0], programs]), newline="")
    sentence = "Votes of simulated sessions are in every table: 1 sessions."
    (tmp_path / "departures.csv").write_text(f"kind,sentence\nlook,Opened early.\nsimulated,{sentence}\n")
    for origin in ("person", "all"):
        run(tmp_path, "--origin", origin)
        page = (tmp_path / "out" / "report.html").read_text()
        assert ("Opened early." in page, sentence in page) == (True, origin == "all")


def test_an_export_from_before_roles_is_read(run_into: RunInto, export: Path, tmp_path: Path) -> None:
    old = [column.name for column in export_columns() if not column.optional]
    assert (len(old), old[-1]) == (35, "right_plt_ms")
    older = tmp_path / "older.csv"
    older.write_text(csv_text(old, ([vote.get(name) for name in old] for vote in VOTES)), newline="")
    assert run_into(tmp_path / "of-old", older).out == run_into(tmp_path / "of-new", export).out


def test_folder_and_zip_give_the_same_as_the_csv(run_into: RunInto, export: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "export.zip", "w") as archive:
        archive.write(export, "some-study/votes.csv")
    # exports of today have plays beside the votes
    with zipfile.ZipFile(tmp_path / "with-plays.zip", "w") as archive:
        archive.write(export, "votes.csv")
        archive.writestr("plays.csv", csv_text([column.name for column in play_columns()], []))
    outs = []
    for number, source in enumerate([export, tmp_path, tmp_path / "export.zip", tmp_path / "with-plays.zip"]):
        assert run_into(tmp_path / f"out{number}", source).code == 0
        out = tmp_path / f"out{number}"
        outs.append({str(p.relative_to(out)): p.read_text() for p in out.rglob("*.*")})
    assert all(out == outs[0] for out in outs)
    assert "statistics/leaderboard.csv" in outs[0]


def test_tables_in_depth_can_be_left_out(run: Run, export: Path, tmp_path: Path) -> None:
    done = run(export, "--no-bootstrap")
    found = sorted(path.name for path in (tmp_path / "out" / "statistics").iterdir())
    assert (done.code, found) == (0, ["leaderboard.csv"])
    assert "In depth" not in (tmp_path / "out" / "report.html").read_text()


def test_an_export_without_votes_gives_empty_tables(run: Run, tmp_path: Path) -> None:
    (tmp_path / "votes.csv").write_text(text_of([]))
    done = run(tmp_path)
    assert (done.code, done.out) == (0, "0\u00a0votes of 0\u00a0participants.\n")
    assert table(tmp_path / "out" / "mos.csv") == []
