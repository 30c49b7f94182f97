"""Figures in odd spellings, in tables of votes and of metrics: each has a sentence with what to write."""

from pathlib import Path

import pytest

from eyelevel.analyse.long_table.figures import cure_of
from eyelevel.analyse.long_table.metric_table import read_metrics
from eyelevel.analyse.long_table.pairs import read_pairs
from eyelevel.errors import BadInputError

from .long_tables import ROLES, scores

EMPTY = "Write one number, or empty the cell if the score is missing."


@pytest.mark.parametrize(
    ("text", "cure"),
    [
        ("5%", "Write 5 without %."),
        ("5 ms", "Write 5 without ms."),
        ("2,5s", "Write 2.5 without s."),
        ("\u22123", "Write -3."),
        ("1'500", "Write 1500."),
        ("1 500", "Write 1500."),
        ("1\u2019500", "Write 1500."),
        ("1.000,5", "Write 1000.5."),
        ("1,500.5", "Write 1500.5."),
        ("1,500,000", "Write 1500000."),
        (
            "1,500",
            "Decimal commas are accepted only if commas do not separate cells; write 1.500 (or 1500 if the comma "
            "separates thousands), or separate cells by semicolons.",
        ),
        ("1_0", "Write 10."),
        ("\u201c1\u201d", "Write 1."),
        ("4/5", "It is two numbers; write one."),
        ("1-5", "It is two numbers; write one."),
        ("4 of 5", "It is two numbers; write one."),
        ("#VALUE!", "It is an error value of a spreadsheet; correct its formula, or empty the cell."),
        ("#DIV/0!", "It is an error value of a spreadsheet; correct its formula, or empty the cell."),
        # texts
        ("5 - Best", ""),
        ("3G", ""),
        ("n.a.", ""),
        ("clip 1", ""),
    ],
)
def test_a_figure_in_an_odd_spelling_has_its_cure(tmp_path: Path, text: str, cure: str) -> None:
    assert cure_of(text, comma=False) == cure
    metrics = tmp_path / "m.csv"
    metrics.write_text(f'clip,si\na,"{text}"\nb,"{text}"\n', encoding="utf-8")
    with pytest.raises(BadInputError) as refused:
        read_metrics(metrics, ROLES)
    assert (f"(si (line 2: {text!r}. {cure}))" in str(refused.value)) == (cure != "")


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ("ann,a,20%", "is '20%', which is not a number. Write 20 without %."),
        ("ann,a,\u22121", "is '\u22121', which is not a number. Write -1."),
        ("ann,a,4/5", "is '4/5', which is not a number. It is two numbers; write one."),
        ("Exported by us", "1 cell, but the header has 3; if the line is a note and not a vote, remove it."),
        ("ann,a,*", f"is '*', which is not a number. {EMPTY}"),
        (
            "ann,a,inf",
            "is 'inf', which is not a number. Write a finite score, or empty the cell if the score is missing.",
        ),
        (
            "ann,a,#REF!",
            "is '#REF!', which is not a number. It is an error value of a spreadsheet; correct its formula",
        ),
        ("who,clip,points", "is 'points', which is not a number. The line seems to repeat the header; remove it."),
        ("ann,a,5.0000000001", "is 5.0000000001, but --scale is 1:5. It differs only by rounding; write 5."),
        ("ann,a,5.01234567", "such as --scale 1:5.01234567; if it marks a missing score, add --missing 5.01234567."),
        ("Total,,12", "stimulus (column 'clip') is empty; a vote needs it. Correct the cell, or remove the row."),
    ],
)
def test_a_score_in_an_odd_spelling_has_its_cure(tmp_path: Path, row: str, sentence: str) -> None:
    with pytest.raises(BadInputError) as refused:
        scores(tmp_path / "v.csv", f"who,clip,points\nann,a,1\nben,a,1\n{row}\n")
    assert ", line 4: " in str(refused.value)
    assert sentence in str(refused.value)


def test_an_answer_in_two_spellings_is_called_a_choice(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text("who,l,r,c\nann,a,b,left\nben,a,b,le\u200bft\n", encoding="utf-8")
    votes = read_pairs(path, {"participant": "who", "left": "l", "right": "r", "choice": "c"})
    assert "choice 'left' in lines 2 and 3" in votes.notices[0]
