"""The report of an export answers the hypotheses of the plan, and lists departures from it."""

import re
from pathlib import Path

import pytest

from .command import Run, table
from .exports import PLAN, VOTES, frozen, rate, text_of


def test_the_report_begins_with_the_hypotheses_of_the_plan(run: Run, tmp_path: Path) -> None:
    (tmp_path / "study.json").write_bytes(frozen(PLAN))
    votes = [
        rate(2 * n + side, participant=n, stack=stack, score=score + n % 2)
        for n in range(6)
        for side, (stack, score) in enumerate((("QUIC", 6), ("TCP+", 2)))
    ]
    (tmp_path / "votes.csv").write_text(text_of(votes), newline="")
    done = run(tmp_path)
    assert done.code == 0
    (row,) = table(tmp_path / "out" / "hypotheses.csv")
    assert row["outcome"] == "supported"
    page = (tmp_path / "out" / "report.html").read_text()
    text = re.sub(r"<[^>]+>", "", page.partition("</style>")[2]).replace("\u00a0", " ")
    assert text.index("Hypotheses of the plan") < text.index("QUIC is rated higher than TCP+.")
    assert text.index("QUIC is rated higher than TCP+.") < text.index("Input", text.index("supported"))
    (effect,) = table(tmp_path / "out" / "effects.csv")
    assert row["sentence"] == f"H1 is supported. {effect['sentence']}"
    assert "H1 is supported." in text
    assert effect["sentence"].replace("\u00a0", " ") in text
    assert "12 of 6 participants on 2 clips" in text
    assert re.findall(r"<h2[^>]*>([^<]+)", page) == [
        *("Hypotheses of the plan", "Input", "Screening of sessions", "Quality of the votes"),
        "Mean opinion scores",
        *("Distribution of scores", "Metrics against people", "Predictions for left-out sites", "In depth"),
        "Provenance",
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
    done = run(tmp_path, "--no-bootstrap")
    assert "has no answer" not in done.out
    rows = table(tmp_path / "out" / "hypotheses.csv")
    assert [(row["hypothesis"], row["outcome"]) for row in rows] == [
        ("H1", "undecided"), ("H4", "pending"), ("H5", "unanswerable"),
    ]  # fmt: skip
    assert rows[1]["sentence"] == "H4 has no answer: it takes the resampling of the tables in depth."
    assert rows[1]["sentence"] in (tmp_path / "out" / "report.html").read_text()
    run(tmp_path)
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
    done = run(tmp_path, "--no-bootstrap")
    (row,) = table(tmp_path / "out" / "hypotheses.csv")
    dsl, lte = table(tmp_path / "out" / "effects.csv")
    assert row["sentence"] == "H1 is undecided. DSL: different; LTE: undecided."
    lines = done.out.splitlines()
    place = lines.index(row["sentence"])
    assert lines[place + 1 : place + 3] == [f"  {dsl['sentence']}", f"  {lte['sentence']}"]
    page = (tmp_path / "out" / "report.html").read_text().replace("\u00a0", " ")
    assert f"{row['sentence']}<ul" in page


@pytest.mark.parametrize(
    ("sentences", "shown"),
    [
        (
            ["Hypothesis H2 was added.", "'=2 is a formula."],
            "<li>Hypothesis H2 was added.</li><li>=2 is a formula.</li>",
        ),
        ([], "<p>The platform found no departures.</p>"),
        (None, None),
    ],
)
def test_the_report_names_departures_from_the_plan_where_the_export_does(
    run: Run, export: Path, tmp_path: Path, sentences: list[str] | None, shown: str | None
) -> None:
    if sentences is not None:
        export.with_name("departures.csv").write_text(
            "\n".join(["kind,sentence", *(f"plan,{sentence}" for sentence in sentences)])
        )
    assert run(export).code == 0
    page = (tmp_path / "out" / "report.html").read_text()
    assert ("Departures from the plan" in page) == (shown is not None)
    assert shown is None or shown in page


def test_a_list_of_departures_without_sentences_is_refused(run: Run, export: Path, tmp_path: Path) -> None:
    export.with_name("departures.csv").write_text("kind\nplan\n")
    done = run(export)
    assert (done.code, "departures.csv has no column sentence" in done.err) == (4, True)
