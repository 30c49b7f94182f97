"""The report of an export shows who was excluded and what depends on that, or says in one line what is missing."""

import json
import re
import shutil
from hashlib import sha256
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from eyelevel_core.tables import csv_text
from eyelevel_stats.conformance import RULES, VERDICT_COLUMNS

from .command import Run, table
from .exports import NAMES, PLAN, frozen, rate, text_of

# with its text and table below
FIGURE = r"<figure.*?</figure>\s*<details>.*?</details>"


def votes(people: range) -> list[dict[str, object]]:
    return [
        rate(2 * n + side, participant=n, stack=stack, score=score + n % 2, group="crowd")
        for n in people
        for side, (stack, score) in enumerate((("QUIC", 6), ("TCP+", 2)))
    ]


@pytest.fixture
def export(tmp_path: Path) -> Path:
    """Six people who are used, and a seventh whose votes are in the folder votes alone, since R2 excludes them."""
    folder = tmp_path / "export"
    folder.mkdir()
    (folder / "votes.csv").write_text(text_of(votes(range(6))), newline="")
    (folder / "study.json").write_bytes(frozen(PLAN))
    every = votes(range(7))
    cells = {name: [None if (v := vote.get(name)) is None else str(v) for vote in every] for name in NAMES}
    table_ = pa.table(cells | {"score": [int(str(vote["score"])) for vote in every]})
    (folder / "votes").mkdir()
    pq.write_table(table_.slice(0, 5), folder / "votes" / "2026-01-01.parquet")
    pq.write_table(table_.slice(5), folder / "votes" / "2026-01-02.parquet")
    rows = []
    for n in range(7):
        broken = ["yes" if rule == "R2" and n == 6 else "no" for rule in RULES]
        left_out_by = "R2" if n == 6 else ""
        session = votes(range(n, n + 1))[0]["session_id"]
        rows.append([session, "crowd", "person", "completed", "yes", left_out_by, *broken])
    (folder / "conformance.csv").write_text(csv_text(VERDICT_COLUMNS, rows), newline="")
    return folder


def titles(page: str) -> list[str]:
    return re.findall(r'aria-labelledby="(\S+)-title', page)


def test_funnel_and_multiverse_are_shown_where_the_export_has_what_they_need(run: Run, export: Path, out: Path) -> None:
    done = run(export)
    assert (done.code, done.err.count("note:")) == (0, 0)
    page = (out / "report.html").read_text()
    assert "screening-crowd" in titles(page)
    assert "multiverse-h1-pooled" in titles(page)
    (summary,) = table(out / "statistics" / "multiverse-summary.csv")
    assert (summary["cells"], summary["session_sets"]) == ("256", "2")
    cells = {row["sessions"] for row in table(out / "statistics" / "multiverse.csv")}
    assert cells == {"6", "7"}


def test_plays_off_speed_are_those_of_the_exports_plays(run: Run, export: Path, out: Path) -> None:
    sessions = [vote["session_id"] for vote in votes(range(6))]
    plays = [[session, "yes" if session == sessions[0] else "no"] for session in sessions]
    (export / "plays.csv").write_text(csv_text(["session_id", "off_speed"], plays), newline="")
    assert run(export).code == 0
    rows = table(out / "statistics" / "sensitivity.csv")
    assert {(row["n"], row["n_without"]) for row in rows if row["without"] == "plays off speed"} == {("6", "5")}


@pytest.mark.parametrize(
    ("missing", "lines"),
    [
        (
            "study.json",
            [
                "There is no funnel: study.json, which has the rules of the study, is not beside the votes.",
                "There is no multiverse of exclusions: study.json, which has the rules of the study, is not beside the "
                "votes.",
            ],
        ),
        (
            "conformance.csv",
            ["There is no funnel: conformance.csv, which has the verdict on each session, is not beside the votes."],
        ),
        (
            "votes",
            [
                "There is no multiverse of exclusions: the folder votes, which has the votes of excluded sessions, is "
                "not beside votes.csv."
            ],
        ),
    ],
)
def test_what_is_missing_is_said_in_one_line(run: Run, export: Path, out: Path, missing: str, lines: list[str]) -> None:
    if (export / missing).is_dir():
        shutil.rmtree(export / missing)
    else:
        (export / missing).unlink()
    assert run(export).code == 0
    text = re.sub(r"<[^>]+>", "\n", (out / "report.html").read_text())
    for line in lines:
        assert text.count(line) == 1


def test_a_damaged_file_of_all_votes_and_a_column_that_is_missing_are_named(run: Run, export: Path) -> None:
    (export / "votes" / "2026-01-02.parquet").write_bytes(b"PAR1 but no more")
    done = run(export)
    assert (done.code, "votes/2026-01-02.parquet is damaged" in done.err) == (4, True)
    text = (export / "conformance.csv").read_text().replace("left_out_by", "excluded")
    (export / "conformance.csv").write_text(text)
    done = run(export)
    assert (done.code, "conformance.csv has no column left_out_by; give an unmodified export." in done.err) == (4, True)


def leave_out(export: Path, columns: set[str]) -> None:
    """Take these columns from the verdicts."""
    rows = table(export / "conformance.csv")
    names = [name for name in VERDICT_COLUMNS if name not in columns]
    cells = ([row[name] for name in names] for row in rows)
    (export / "conformance.csv").write_text(csv_text(names, cells), newline="")


def test_a_rule_without_a_column_is_shown_as_not_asked(run: Run, export: Path, out: Path) -> None:
    leave_out(export, {"R1_broken", "R9_broken"})
    done = run(export)
    assert (done.code, done.err.count("note:")) == (0, 0)
    page = (out / "report.html").read_text()
    (funnel,) = (figure for figure in re.findall(FIGURE, page, re.DOTALL) if "screening-crowd-title" in figure)
    cells = [re.findall(r"<t[dh][^>]*>([^<]*)", row) for row in re.findall(r"<tr>.*?</tr>", funnel, re.DOTALL)]
    asked = {row[0]: row[-1] for row in cells if row[0] in RULES}
    assert {rule for rule, word in asked.items() if word == "yes"} >= {"R2", "R3", "R5"}
    assert (asked["R1"], asked["R9"]) == ("no", "no")
    assert funnel.count(">not asked<") == sum(word == "no" for word in asked.values())
    # R2 excludes as before
    (summary,) = table(out / "statistics" / "multiverse-summary.csv")
    assert summary["session_sets"] == "2"


def test_an_export_without_the_column_of_any_rule_is_refused(run: Run, export: Path) -> None:
    leave_out(export, {f"{rule}_broken" for rule in RULES})
    done = run(export)
    assert (done.code, "conformance.csv has no column of any rule, such as R1_broken" in done.err) == (4, True)


def test_each_figure_names_study_and_snapshot_and_has_its_text_and_table_folded_below(
    run: Run, export: Path, out: Path
) -> None:
    assert run(export).code == 0
    page = (out / "report.html").read_text()
    figures = re.findall(FIGURE, page, re.DOTALL)
    assert len(figures) == page.count("<figure") == page.count("<svg")
    for figure in figures:
        assert ">Study 555555555555, 12 votes.</text>" in figure
        text = re.search(r"This figure as text and table</summary><p>([^<]+)", figure)
        assert text is not None
        assert "<table" in figure.partition("</figure>")[2]


def test_the_snapshot_in_figures_is_that_of_the_manifest(run: Run, export: Path, out: Path) -> None:
    manifest: dict[str, object] = {"contract": "eyelevel/export/1", "study_sha256": "5" * 64, "method_version": 8}
    data = (export / "votes.csv").read_bytes()
    listed = {"votes.csv": {"sha256": sha256(data).hexdigest(), "bytes": len(data), "rows": 12}}
    manifest |= {"snapshot_sha256": "7" * 64, "origin": "person", "collecting": False, "files": listed}
    (export / "manifest.json").write_text(json.dumps(manifest))
    for path in (export, export / "votes.csv"):
        assert run(path, "--no-bootstrap").code == 0
        page = (out / "report.html").read_text()
        assert page.count(">Study 555555555555, snapshot 777777777777.</text>") == page.count("<figure")
        assert "7" * 64 in page


def test_edited_votes_are_not_attributed_to_the_snapshot_beside_them(run: Run, export: Path, out: Path) -> None:
    manifest: dict[str, object] = {"contract": "eyelevel/export/1", "study_sha256": "5" * 64, "method_version": 8}
    listed = {"votes.csv": {"sha256": "8" * 64, "bytes": 9}}
    manifest |= {"snapshot_sha256": "7" * 64, "origin": "person", "collecting": False, "files": listed}
    (export / "manifest.json").write_text(json.dumps(manifest))
    digest = sha256((export / "votes.csv").read_bytes()).hexdigest()
    assert run(export / "votes.csv", "--no-bootstrap").code == 0
    page = (out / "report.html").read_text()
    said = f">Study 555555555555, edited votes, SHA-256 {digest[:12]}.</text>"
    assert page.count(said) == page.count("<figure") > 0
    assert ("7" * 12 in page, digest in page) == (False, True)
    assert "none: manifest.json beside the votes lists other votes, so these were edited" in page
    (export / "manifest.json").unlink()
    assert run(export / "votes.csv", "--no-bootstrap").code == 0
    page = (out / "report.html").read_text()
    assert "none: no manifest.json beside the votes, so they could not be checked" in page
    assert digest in page


def test_a_bare_table_of_votes_says_why_it_has_neither(run: Run, tmp_path: Path, out: Path) -> None:
    (tmp_path / "v.csv").write_text("who,clip,points\nann,a,4\nben,a,5\n")
    columns = "participant=who,stimulus=clip,score=points"
    assert run("--votes", tmp_path / "v.csv", "--columns", columns, "--scale", "1:5").code == 0
    assert "There is no funnel of sessions and no multiverse of exclusions" in (out / "report.html").read_text()
