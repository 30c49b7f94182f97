"""Odd tables: names that look the same, headings of Qualtrics, means, UTF-16; and MOS by maximum likelihood."""

import csv
import gzip
import os
from pathlib import Path
from statistics import fmean, pvariance

import pytest

from eyelevel.analyse.given import Given
from eyelevel.analyse.long_table.metric_table import read_metrics
from eyelevel.analyse.long_table.pairs import read_pairs
from eyelevel.analyse.long_table.roles import Scale, parse_columns
from eyelevel.analyse.long_table.scores import Reading, read_scores
from eyelevel.analyse.long_table.wording import Choice
from eyelevel.analyse.tables import Sheets
from eyelevel.errors import BadInputError
from eyelevel_stats.descriptive.subjects import subject_models
from eyelevel_stats.in_depth.stimuli import Stimuli
from eyelevel_stats.votes import ratings_of

from .long_tables import NOWHERE, READ, ROLES, TABLE, scores, triples

SHARED = Path(os.environ.get("EYELEVEL_SHARED", Path(__file__).resolve().parents[4] / "shared"))
NETFLIX = SHARED / "oracles" / "ratings" / "nflx_public_raw.csv"
needs_netflix = pytest.mark.skipif(not NETFLIX.exists(), reason="the oracle ratings are not there: set EYELEVEL_SHARED")


@pytest.mark.parametrize(
    ("spelling", "why"),
    [
        ("a\u200b", "a ZERO WIDTH SPACE (U+200B)"),
        ("a\u200e", "a LEFT-TO-RIGHT MARK (U+200E)"),
        ("a\u00ad", "a SOFT HYPHEN (U+00AD)"),
        ("\ufeffa", "a ZERO WIDTH NO-BREAK SPACE (U+FEFF)"),
        ("\uff41", "\uff41 (FULLWIDTH LATIN SMALL LETTER A, U+FF41)"),
        ("a\u00a0", "a NO-BREAK SPACE (U+00A0)"),
        (" a", "with a space around it"),
        ("a\x07", "a control character (U+0007)"),
        ("\x00a", "a control character (U+0000)"),
        ("a\x85", "a line break (U+0085)"),
        ("a\u2028", "a LINE SEPARATOR (U+2028)"),
    ],
)
def test_names_that_look_the_same_are_one_name_with_a_notice(tmp_path: Path, spelling: str, why: str) -> None:
    votes = scores(tmp_path / "v.csv", f"who,clip,points\nann,a,1\nben,b,2\nben,{spelling},3\n")
    assert triples(votes) == [("ann", "a", 1.0), ("ben", "b", 2.0), ("ben", "a", 3.0)]
    assert votes.notices == (
        f"Names that look the same but are written differently count as one: stimulus 'a' in lines 2 and 4 ({why}). "
        "If two of these are different, rename one.",
    )
    reversed_ = scores(tmp_path / "v.csv", f"who,clip,points\nann,{spelling},1\nben,a,3\n")
    assert len(set(reversed_.stimulus)) == 1
    people = scores(tmp_path / "v.csv", f"who,clip,points\n{spelling},x,1\na,x,3\n")
    assert (len(set(people.participant)), "participant" in people.notices[0]) == (1, True)
    metrics = tmp_path / "m.csv"
    metrics.write_text(f"clip,si\n{spelling},5\n", encoding="utf-8")
    found = read_metrics(metrics, ROLES, stimuli=["a"])
    assert (found.metrics, "stimulus 'a' in line 2 and in the votes" in found.notices[0]) == ({"si": {"a": 5.0}}, True)


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        ("cl\x1fip", "clip", "a control character (U+001F)"),
        ("cl\u2028ip", "clip", "a LINE SEPARATOR (U+2028)"),
        ("a  b", "a b", "with several spaces"),
        ('"a\r\nb"', '"a\nb"', "a line break (U+000D), a line break (U+000A)"),
        ('"a\nb"', "a b", "a line break (U+000A)"),
        ('"a\tb"', "a b", "a tab (U+0009)"),
    ],
)
def test_what_shows_nothing_within_a_name_and_runs_of_spaces_make_no_other_name(
    tmp_path: Path, one: str, other: str, why: str
) -> None:
    votes = scores(tmp_path / "v.csv", f"who,clip,points\nann,{one},1\nben,{other},2\n")
    assert len(set(votes.stimulus)) == 1
    assert f"({why})" in votes.notices[0]


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        ("clip", "\u0441lip", "\u0441 (CYRILLIC SMALL LETTER ES, U+0441)"),
        ("c-1", "c\u20131", "\u2013 (EN DASH, U+2013)"),
        ('"a\nb"', "ab", "spaces"),
    ],
)
def test_names_that_nearly_look_the_same_stay_two_with_a_notice(tmp_path: Path, one: str, other: str, why: str) -> None:
    votes = scores(tmp_path / "v.csv", f"who,clip,points\nann,{one},1\nben,{other},2\ncem,{other},2\n")
    assert len(set(votes.stimulus)) == 2
    first, second = dict.fromkeys(votes.stimulus)
    (notice,) = votes.notices
    # a row's line is the one where it ends
    line = 2 + one.count("\n")
    assert f": stimulus {first!r} in line {line} and {second!r} in line {line + 1} ({why}). " in notice
    metrics = tmp_path / "m.csv"
    metrics.write_text(f"clip,si\n{other},5\n", encoding="utf-8")
    assert "in the votes and" in read_metrics(metrics, ROLES, stimuli=[first]).notices[0]


@pytest.mark.parametrize("twice", ["points\u200b", "\uff50oints", "points\x07"])
def test_columns_that_look_the_same_are_refused_with_the_character(tmp_path: Path, twice: str) -> None:
    with pytest.raises(BadInputError, match=r"has two columns named 'points' \(.*U\+.*\); rename one of them\."):
        scores(tmp_path / "v.csv", f"who,clip,points,{twice}\nann,a,1,2\n")


def test_a_stimulus_with_several_values_names_the_character_by_which_its_rows_differ(tmp_path: Path) -> None:
    metrics = tmp_path / "m.csv"
    metrics.write_text("clip,si\na,1\na\u200b,5\n", encoding="utf-8")
    with pytest.raises(BadInputError, match=r"'a' in line 3 and in the votes \(a ZERO WIDTH SPACE \(U\+200B\)\)"):
        read_metrics(metrics, ROLES, stimuli=["a"])


def test_accents_apart_are_the_same_name_and_pairs_have_the_rule_too(tmp_path: Path) -> None:
    votes = scores(tmp_path / "v.csv", "who,clip,points\nann,caf\u00e9,1\nben,cafe\u0301,3\n")
    assert votes.stimulus == ["caf\u00e9", "caf\u00e9"]
    (tmp_path / "p.csv").write_text("who,l,r,won\nann,a\u200b,b,a\nben,b,a,b\u200e\n", encoding="utf-8")
    pairs = read_pairs(tmp_path / "p.csv", {"participant": "who", "left": "l", "right": "r", "winner": "won"})
    assert pairs.votes == (("ann", "a", "b", Choice.LEFT), ("ben", "b", "a", Choice.LEFT))
    assert "stimulus 'a' twice in line 2 (a ZERO WIDTH SPACE (U+200B))" in pairs.notices[0]


def test_a_table_of_means_needs_no_participants(tmp_path: Path) -> None:
    roles = {"stimulus": "clip", "score": "mos"}
    votes = scores(tmp_path / "v.csv", "clip,mos\na,1.5\nb,3.25\n", roles)
    assert (votes.stimulus, votes.score, len(set(votes.participant))) == (["a", "b"], [1.5, 3.25], 1)
    assert "No column has the role participant" in votes.notices[0]
    with pytest.raises(BadInputError, match="has 2 scores of the stimulus 'a', but no column has the role participant"):
        scores(tmp_path / "v.csv", "clip,mos\na,1.5\na,3.25\n", roles)
    assert parse_columns("stimulus=clip,score=mos") == roles


@needs_netflix
def test_maximum_likelihood_of_a_long_table_is_that_of_sureal() -> None:
    """ITU-T P.910 annex E, as the README of Netflix/sureal prints it; the table is statistics/subject-clips.csv."""
    roles = {"participant": "subject", "stimulus": "stimulus", "score": "score"}
    votes = read_scores(NETFLIX, roles, Reading(Scale(1, 5)), elsewhere=NOWHERE)
    about = Stimuli((1, 5), {})
    columns = votes.columns()
    given = Given(columns, about, "", "", "", "", {}, {}, ())
    sheet = Sheets(given).sheet("statistics/subject-clips", subject_models(list(ratings_of(columns))).clips)
    assert sheet.csv().splitlines()[0] == "stimulus,n,mos,mos_ml,mos_zrec"
    rows = list(csv.DictReader(sheet.csv().splitlines()))
    quality = {int(row["stimulus"]): float(row["mos_ml"]) for row in rows}
    assert (quality[0], quality[78]) == pytest.approx((4.91807257, 4.60152168), abs=1e-6)
    assert fmean(quality.values()) == pytest.approx(3.54479065, abs=1e-6)
    assert pvariance(quality.values()) == pytest.approx(1.43554857, abs=1e-6)


QUALTRICS = (
    'who,clip,points\nResponse ID,Clip,"How good was it?\n(1 to 5)"\n"{""ImportId"":""_recordId""}",'
    '"{""ImportId"":""clip""}","{""ImportId"":""QID1""}"\n'
)


def test_headings_of_qualtrics_are_left_out_with_a_notice(tmp_path: Path) -> None:
    votes = scores(tmp_path / "v.csv", QUALTRICS + "ann,a,1\nben,a,4.5\n")
    assert (triples(votes), votes.rows) == (READ, 2)
    assert votes.notices == (f"Lines 2 to 4 of {tmp_path / 'v.csv'} are headings of Qualtrics, and were left out.",)
    with pytest.raises(BadInputError, match="line 6: score"):
        scores(tmp_path / "v.csv", QUALTRICS + "ann,a,1\nben,a,9\n")
    with pytest.raises(BadInputError, match="there is no row below the header"):
        scores(tmp_path / "v.csv", QUALTRICS)


@pytest.mark.parametrize("code", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_utf_16_without_a_mark_is_named(tmp_path: Path, code: str) -> None:
    for data in (TABLE.encode(code), gzip.compress(TABLE.encode(code), mtime=0)):
        with pytest.raises(BadInputError, match=r"v\.csv looks like UTF-16 or UTF-32 text; save it as CSV in UTF-8\."):
            scores(tmp_path / "v.csv", data)
