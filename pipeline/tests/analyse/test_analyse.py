"""An export gives its tables without a server, and a damaged one is refused with a sentence."""

import csv
import json
import re
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol
from uuid import UUID

import pytest

from eyelevel.cli import main
from eyelevel.study.batch import read_batch
from eyelevel_core.assignment.freeze import freeze
from eyelevel_core.assignment.selection import select_for
from eyelevel_core.contracts import canonical_json
from eyelevel_core.contracts.columns import export_columns, play_columns
from eyelevel_core.study.file import read_study_file
from eyelevel_stats.tables import csv_text

REPOSITORY = Path(__file__).resolve().parents[3]
NAMES = [column.name for column in export_columns()]
STUDY = "5" * 64
METRICS = [("FVC", 0), ("SI", 1), ("VC85", 0), ("LVC", 0), ("PLT", 0)]


def rate(number: int, *, participant: int, stack: str, score: int, **changes: object) -> dict[str, object]:
    return {
        "vote_id": UUID(int=number),
        "session_id": UUID(int=1000 + participant),
        "study_sha256": STUDY,
        "trial_kind": "rate",
        "trial_kind_version": 2,
        "position": 1,
        "context": "work",
        "site": "garden",
        "network": "DSL",
        "stack": stack,
        "clip_sha256": ("a" if stack == "QUIC" else "b") * 64,
        "score": score,
        "replays": 0,
        "answer_ms": 1234.5,
        "language": "en",
        "received_at": "2026-01-02T03:04:05Z",
        "si_ms": 800 if stack == "QUIC" else 1200.5,
        **changes,
    }


def compare(number: int, *, participant: int, choice: str) -> dict[str, object]:
    own = rate(number, participant=participant, stack="", score=0, trial_kind="compare", si_ms=None)
    return {
        **own,
        "score": None,
        "stack": None,
        "left_stack": "TCP+",
        "right_stack": "QUIC",
        "choice": choice,
        "sureness": 4,
    }


VOTES = [
    rate(1, participant=1, stack="QUIC", score=6),
    rate(2, participant=2, stack="QUIC", score=4),
    rate(3, participant=1, stack="TCP+", score=2),
    compare(4, participant=1, choice="right"),
]


def text_of(votes: list[dict[str, object]]) -> str:
    return csv_text(NAMES, ([vote.get(name) for name in NAMES] for vote in votes))


@dataclass(frozen=True)
class Done:
    returncode: int
    stdout: str
    stderr: str


class Run(Protocol):
    def __call__(self, export: Path, out: Path, *options: str) -> Done: ...


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """The command as a shell calls it, in this process."""

    def call(export: Path, out: Path, *options: str) -> Done:
        monkeypatch.setattr(sys, "argv", ["eyelevel", "analyse", str(export), "--out", str(out), *options])
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return Done(int(ended.value.code), printed.out, printed.err)

    return call


def table(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def export(tmp_path: Path) -> Path:
    path = tmp_path / "votes.csv"
    path.write_text(text_of(VOTES), newline="")
    return path


@pytest.mark.parametrize(
    ("sentences", "told"),
    [
        (
            ["Hypothesis H2 was added.", "'=2 is a formula."],
            "<li>Hypothesis H2 was added.</li><li>=2 is a formula.</li>",
        ),
        ([], "<p>The platform knows of none.</p>"),
        (None, None),
    ],
)
def test_the_report_names_departures_from_the_plan_where_the_export_does(
    run: Run, export: Path, tmp_path: Path, sentences: list[str] | None, told: str | None
) -> None:
    if sentences is not None:
        export.with_name("departures.csv").write_text(
            "\n".join(["kind,sentence", *(f"plan,{one}" for one in sentences)])
        )
    assert run(export, tmp_path / "out").returncode == 0
    page = (tmp_path / "out" / "report.html").read_text()
    assert ("Departures from the plan" in page) == (told is not None)
    assert told is None or told in page


def test_a_list_of_departures_without_sentences_is_refused(run: Run, export: Path, tmp_path: Path) -> None:
    export.with_name("departures.csv").write_text("kind\nplan\n")
    done = run(export, tmp_path / "out")
    assert (done.returncode, "departures.csv has no column sentence" in done.stderr) == (4, True)


def test_a_csv_gives_every_table_and_a_summary(run: Run, export: Path, tmp_path: Path) -> None:
    done = run(export, tmp_path / "out")
    assert (done.returncode, done.stderr) == (
        0, f"Computing tables in depth ...\nTables and report.html are in {tmp_path / 'out'}.\n"
    )  # fmt: skip
    assert done.stdout.splitlines()[:4] == [
        "4 votes of 2 participants",
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
    done = run(tmp_path, tmp_path / "out", "--origin", "all")
    assert done.stdout.splitlines() == [
        "4 votes of 2 participants",
        "1 of the participants were simulated: programs, whose votes say nothing about people",
        "MOS 6.00  n=1  garden DSL QUIC work",
        *(
            f"MOS and {m} in DSL: unknown (too few clips: {n} of at least 10)  ({n} clips, {n} votes)"
            for m, n in METRICS
        ),
        "slider 62.5  n=1  garden DSL QUIC work",
        "identical pairs: a difference seen in 100% [21%, 100%], left 1, right 0, no difference 0",
        "rate asked twice: same answer 0% [0%, 79%], 3.00 apart on average  n=1",
        "No predictions for left-out sites: it needs 10 clips of 5 sites beside the one that is left out; there are 1 "
        "of 1 in all.",
    ]
    assert [row["mean"] for row in table(tmp_path / "out" / "values.csv")] == ["62.5"]
    assert [row["share_different"] for row in table(tmp_path / "out" / "identical.csv")] == ["1.0"]
    assert [(row["kind"], row["mean_difference"]) for row in table(tmp_path / "out" / "repeats.csv")] == [
        ("rate", "3.0")
    ]


def test_votes_of_programs_are_left_out_unless_asked_for(run: Run, tmp_path: Path) -> None:
    programs = rate(9, participant=9, stack="QUIC", score=1, origin="simulated")
    (tmp_path / "votes.csv").write_text(text_of([VOTES[0], programs]), newline="")
    lines = {
        origin: run(tmp_path, tmp_path / "out", "--origin", origin).stdout.splitlines()[0]
        for origin in ("person", "simulated", "all")
    }
    assert lines == {
        "person": "1 votes of 1 participants",
        "simulated": "1 votes of 1 participants",
        "all": "2 votes of 2 participants",
    }
    run(tmp_path, tmp_path / "out")
    assert [row["mos"] for row in table(tmp_path / "out" / "mos.csv")] == ["6.0"]


def test_an_export_of_programs_alone_says_how_to_analyse_it(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    path.write_text(text_of([rate(9, participant=9, stack="QUIC", score=1, origin="simulated")]), newline="")
    done = run(path, tmp_path / "out")
    assert (done.returncode, done.stdout) == (4, "")
    assert f"{path}: all 1 votes are of the origin simulated; add --origin simulated." in done.stderr


def test_an_export_from_before_roles_is_read(run: Run, export: Path, tmp_path: Path) -> None:
    old = [column.name for column in export_columns() if not column.optional]
    assert (len(old), old[-1]) == (35, "right_plt_ms")
    older = tmp_path / "older.csv"
    older.write_text(csv_text(old, ([vote.get(name) for name in old] for vote in VOTES)), newline="")
    assert run(older, tmp_path / "of-old").stdout == run(export, tmp_path / "of-new").stdout


def test_folder_and_zip_give_the_same_as_the_csv(run: Run, export: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "export.zip", "w") as archive:
        archive.write(export, "some-study/votes.csv")
    # exports of today have plays beside the votes
    with zipfile.ZipFile(tmp_path / "with-plays.zip", "w") as archive:
        archive.write(export, "votes.csv")
        archive.writestr("plays.csv", csv_text([column.name for column in play_columns()], []))
    outs = []
    for number, source in enumerate([export, tmp_path, tmp_path / "export.zip", tmp_path / "with-plays.zip"]):
        assert run(source, tmp_path / f"out{number}").returncode == 0
        out = tmp_path / f"out{number}"
        outs.append({str(p.relative_to(out)): p.read_text() for p in out.rglob("*.*")})
    assert all(out == outs[0] for out in outs)
    assert "statistics/leaderboard.csv" in outs[0]


def test_tables_in_depth_can_be_left_out(run: Run, export: Path, tmp_path: Path) -> None:
    done = run(export, tmp_path / "out", "--no-bootstrap")
    assert (done.returncode, (tmp_path / "out" / "statistics").exists()) == (0, False)
    assert "In depth" not in (tmp_path / "out" / "report.html").read_text()


PLAN = """
plan:
  hypotheses:
    - key: H1
      says: QUIC is rated higher than TCP+.
      kind: rate
      pair: [TCP+, QUIC]
      networks: pooled
      expects: higher
"""


def frozen(plan: str) -> bytes:
    """study.json of the demo with this plan."""
    batch = read_batch(REPOSITORY / "fixtures" / "sample-batch")
    text = (REPOSITORY / "fixtures" / "study-demo.yaml").read_text(encoding="utf-8").partition("\nplan:")[0] + plan
    file = read_study_file(text, source="study-demo.yaml")
    return canonical_json(freeze(file, select_for(file, list(batch.clips)), batch=batch.sha256))


def in_the_field(folder: Path, votes: list[dict[str, object]], *, plan: str) -> Path:
    """An export of a study that was in the field."""
    folder.mkdir(exist_ok=True)
    manifest: dict[str, object] = {"contract": "eyelevel/export/1", "study_sha256": STUDY, "snapshot_sha256": "2" * 64}
    manifest |= {"method_version": 7, "origin": "all", "collecting": True, "files": {}}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    (folder / "votes.csv").write_text(text_of(votes), newline="")
    (folder / "study.json").write_bytes(frozen(plan))
    return folder


@pytest.mark.parametrize("origin", ["person", "simulated"])
def test_an_export_from_the_field_is_answered_at_planned_looks_alone(run: Run, tmp_path: Path, origin: str) -> None:
    looks = "\n  looks:\n    at: [3]\n    spending: pocock\n"
    votes = [
        rate(2 * n + side, participant=n, stack=stack, score=score + n % 2, origin=origin)
        for n in range(6)
        for side, (stack, score) in enumerate((("QUIC", 6), ("TCP+", 2)))
    ]
    answered = []
    for plan in (PLAN, PLAN.rstrip() + looks):
        export = in_the_field(tmp_path / "export", votes, plan=plan)
        done = run(export, tmp_path / "out", "--origin", "all", "--no-bootstrap")
        assert (done.returncode, "note: The study was still in the field" in done.stderr) == (0, True)
        assert "note: manifest.json does not list, and so nothing vouches for: study.json and votes.csv." in done.stderr
        assert "The study was still in the field" in (tmp_path / "out" / "report.html").read_text()
        answered.append([row["participants"] for row in table(tmp_path / "out" / "effects.csv")])
    assert answered == [[], ["3"] if origin == "person" else []]


def of_twenty_clips() -> list[dict[str, object]]:
    """Four people rate twenty clips of ten sites, and compare two more."""
    rated = [
        rate(
            100 * n + place,
            participant=n,
            stack="QUIC" if place % 2 else "TCP+",
            score=1 + (place + n) % 7,
            site=f"s{place // 2}",
            clip_sha256=f"{place:064x}",
            si_ms=500 + 90 * place,
            plt_ms=900 + place**2,
        )
        for n in range(4)
        for place in range(20)
    ]
    return [*rated, *(compare(9000 + n, participant=n, choice="left") for n in range(4))]


def test_an_export_from_the_field_has_nothing_in_depth_and_compares_no_metrics(run: Run, tmp_path: Path) -> None:
    done = run(in_the_field(tmp_path / "export", of_twenty_clips(), plan=PLAN), tmp_path / "out")
    assert done.returncode == 0
    assert not (tmp_path / "out" / "statistics").exists()
    page = (tmp_path / "out" / "report.html").read_text()
    for said in ("agrees best", "most closely", "Which metric", "In depth"):
        assert said not in done.stdout + page
    assert len(table(tmp_path / "out" / "correlations.csv")) == 5


def test_the_folder_of_an_export_stays_as_it_is(run: Run, tmp_path: Path) -> None:
    export = in_the_field(tmp_path / "export", [rate(1, participant=1, stack="QUIC", score=6)], plan=PLAN)
    before = {path.name: path.read_bytes() for path in export.iterdir()}
    for given, out in ((export, export), (export, export / "statistics"), (export / "votes.csv", export / "results")):
        done = run(given, out)
        assert (done.returncode, done.stderr) == (
            4, f"eyelevel: --out {out} lies in the export {export}, which must stay as it is; give another folder.\n"
        )  # fmt: skip
    (export / "manifest.json").rename(tmp_path / "away.json")
    assert run(export, export).returncode == 4
    (tmp_path / "away.json").rename(export / "manifest.json")
    assert {path.name: path.read_bytes() for path in export.iterdir()} == before


def test_the_report_begins_with_the_hypotheses_of_the_plan(run: Run, tmp_path: Path) -> None:
    (tmp_path / "study.json").write_bytes(frozen(PLAN))
    votes = [
        rate(2 * n + side, participant=n, stack=stack, score=score + n % 2)
        for n in range(6)
        for side, (stack, score) in enumerate((("QUIC", 6), ("TCP+", 2)))
    ]
    (tmp_path / "votes.csv").write_text(text_of(votes), newline="")
    done = run(tmp_path, tmp_path / "out")
    assert done.returncode == 0
    (row,) = table(tmp_path / "out" / "hypotheses.csv")
    assert row["outcome"] == "supported"
    page = (tmp_path / "out" / "report.html").read_text()
    text = re.sub(r"<[^>]+>", "", page.partition("</style>")[2]).replace("\u00a0", " ")
    assert text.index("Hypotheses of the plan") < text.index("QUIC is rated higher than TCP+.")
    assert text.index("QUIC is rated higher than TCP+.") < text.index("What was read", text.index("supported"))
    (effect,) = table(tmp_path / "out" / "effects.csv")
    assert row["sentence"] == f"H1 is supported. {effect['sentence']}"
    assert "H1 is supported." in text
    assert effect["sentence"].replace("\u00a0", " ") in text
    assert "12 of 6 participants on 2 clips" in text
    assert re.findall(r"<h2[^>]*>([^<]+)", page) == [
        *("Hypotheses of the plan", "What was read", "Screening of sessions", "Mean opinion scores"),
        *("Distribution of scores", "Metrics against people", "Predictions for left-out sites", "In depth"),
        "Where it comes from",
    ]
    assert re.findall(r'aria-labelledby="(\S+)-title', page) == [
        *("effects-rate", "satisfaction", "mos-dsl", "scores", "score-distributions", "against-si"),
    ]
    assert page.count("<svg") == page.count('role="img"')
    assert "12 votes." in text


def test_hypotheses_without_answer_are_named_with_the_reason(run: Run, tmp_path: Path) -> None:
    more = """
    - key: H4
      says: SI agrees best with MOS.
      kind: metrics
      metric: SI
    - key: H5
      says: People are satisfied.
"""
    (tmp_path / "study.json").write_bytes(frozen(PLAN.rstrip() + more))
    (tmp_path / "votes.csv").write_text(text_of(VOTES), newline="")
    done = run(tmp_path, tmp_path / "out", "--no-bootstrap")
    assert "has no answer" not in done.stdout
    rows = table(tmp_path / "out" / "hypotheses.csv")
    assert [(row["hypothesis"], row["outcome"]) for row in rows] == [
        ("H1", "supported"), ("H4", "pending"), ("H5", "unanswerable"),
    ]  # fmt: skip
    assert rows[1]["sentence"] == "H4 has no answer: it takes the resampling of the tables in depth."
    assert rows[1]["sentence"] in (tmp_path / "out" / "report.html").read_text()
    run(tmp_path, tmp_path / "out")
    assert [row["outcome"] for row in table(tmp_path / "out" / "hypotheses.csv")][1:] == ["undecided", "unanswerable"]


def test_of_several_networks_the_verdicts_come_first_and_then_a_sentence_each(run: Run, tmp_path: Path) -> None:
    (tmp_path / "study.json").write_bytes(frozen(PLAN.replace("pooled", "each")))
    votes = [
        rate(100 * n + place, participant=n, stack=stack, score=score + n % 2, network=network)
        for n in range(6)
        for place, (network, stack, score) in enumerate(
            (("DSL", "QUIC", 6), ("DSL", "TCP+", 2), ("LTE", "QUIC", 4), ("LTE", "TCP+", 3 + n % 3))
        )
    ]
    (tmp_path / "votes.csv").write_text(text_of(votes), newline="")
    done = run(tmp_path, tmp_path / "out", "--no-bootstrap")
    (row,) = table(tmp_path / "out" / "hypotheses.csv")
    dsl, lte = table(tmp_path / "out" / "effects.csv")
    assert row["sentence"] == "H1 is undecided. DSL: different; LTE: undecided."
    lines = done.stdout.splitlines()
    place = lines.index(row["sentence"])
    assert lines[place + 1 : place + 3] == [f"  {dsl['sentence']}", f"  {lte['sentence']}"]
    page = (tmp_path / "out" / "report.html").read_text().replace("\u00a0", " ")
    assert f"{row['sentence']}<ul" in page


def test_an_export_without_votes_gives_empty_tables(run: Run, tmp_path: Path) -> None:
    (tmp_path / "votes.csv").write_text(text_of([]))
    done = run(tmp_path, tmp_path / "out")
    assert (done.returncode, done.stdout) == (0, "0 votes of 0 participants\n")
    assert table(tmp_path / "out" / "mos.csv") == []


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
        ({"vote_id": UUID(int=1)}, "line 3: the vote 00000000-0000-0000-0000-000000000001 comes twice;"),
        ({"study_sha256": "6" * 64}, "votes.csv holds votes of 2 studies;"),
        ({"si_ms": 801}, f"The clip {'a' * 64} has different metrics in different votes:"),
        ({"trial_kind_version": 1}, "trial_kind_version is 1 and 2 in votes of rate;"),
        ({"layout": "grid"}, "line 3: layout is 'grid', but must be one of column, row."),
    ],
)
def test_a_wrong_vote_is_named(run: Run, tmp_path: Path, change: dict[str, object], sentence: str) -> None:
    path = tmp_path / "votes.csv"
    path.write_text(text_of([VOTES[0], {**VOTES[1], **change}]))
    done = run(path, tmp_path / "out")
    assert (done.returncode, done.stdout) == (4, "")
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1


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
    done = run(path, tmp_path / "out")
    assert (done.returncode, done.stdout) == (4, "")
    assert sentence in done.stderr
    assert done.stderr.startswith(f"eyelevel: {path}")


def test_what_is_not_there_is_named(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "nothing"
    done = run(path, tmp_path / "out")
    said = f"eyelevel: {path} does not exist; give an export's folder, its zip, or its votes.csv.\n"
    assert (done.returncode, done.stdout, done.stderr) == (4, "", said)


def test_a_zip_without_votes_and_a_video_are_refused(run: Run, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "export.zip", "w") as archive:
        archive.writestr("readme.txt", "nothing")
    (tmp_path / "clip.mp4").write_bytes(b"\x00\x00\x00\x18ftyp\xff\xfe")
    assert "holds 0 files named votes.csv" in run(tmp_path / "export.zip", tmp_path / "out").stderr
    assert run(tmp_path / "clip.mp4", tmp_path / "out").returncode == 4


def test_a_file_in_the_place_of_the_output_is_refused(run: Run, export: Path) -> None:
    done = run(export, export)
    assert done.returncode == 4
    assert "cannot be created as a folder for the tables: File exists." in done.stderr
