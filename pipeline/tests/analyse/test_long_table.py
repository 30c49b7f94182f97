"""Other people's tables are read as they are, and a wrong one is refused with file, line, column, value and cure."""

import gzip
from pathlib import Path

import pytest

from eyelevel.analyse.long_table.metric_table import read_metrics
from eyelevel.analyse.long_table.pairs import read_pairs
from eyelevel.analyse.long_table.roles import (
    Scale,
    parse_choices,
    parse_columns,
    parse_missing,
    parse_scale,
    parse_scores,
)
from eyelevel.analyse.long_table.scores import Reading, ScoreVotes, read_scores
from eyelevel.analyse.long_table.wording import Choice
from eyelevel.errors import BadInputError

from .long_tables import NOWHERE, READ, ROLES, TABLE, scores, triples


def labels(votes: ScoreVotes) -> tuple[dict[str, str] | None, ...]:
    """Sites and conditions by stimulus."""
    return tuple(None if mapping is None else dict(mapping) for mapping in (votes.sites, votes.conditions))


@pytest.mark.parametrize(
    "content",
    [
        TABLE,
        "\ufeff" + TABLE,
        TABLE.replace("\n", "\r\n"),
        TABLE.replace(",", ";"),
        TABLE.replace(",", ";").replace("4.5", "4,5"),
        TABLE.replace(",", "\t"),
        TABLE.replace(",", "|"),
        TABLE.replace("who,clip", 'extra,"who" , clip').replace("ann,", '"x, ""y""",ann,').replace("ben,", ",ben ,"),
        TABLE + "\n,,\n",
        TABLE.replace("4.5", "4.5,,"),
        gzip.compress(TABLE.encode(), mtime=0),
        "\n \n,,\n" + TABLE,
        "sep=;\r\n" + TABLE.replace(",", ";"),
        TABLE.replace(",", "\t").replace("4.5", "4,5"),
        TABLE.replace(",", "|").replace("4.5", "4,5"),
    ],
    ids=["commas", "byte order mark", "CRLF", "semicolons", "decimal comma", "tabs", "bars", "quotes, spaces, extra",
         "empty rows", "empty cells at the end", "gzip", "empty lines first", "Excel's line", "tabs and decimal comma",
         "bars and decimal comma"],
)  # fmt: skip
def test_a_table_is_read_as_it_is(tmp_path: Path, content: str | bytes) -> None:
    votes = scores(tmp_path / "v.csv", content)
    assert triples(votes) == READ
    assert (votes.rows, votes.missing) == (3, 1)


@pytest.mark.parametrize("missing", ["", "NA", "nan", "NaN", "n/a", "null", ".", " ", "None", "-", "<NA>", "#N/A", "?"])
def test_a_missing_score_is_counted_and_left_out(tmp_path: Path, missing: str) -> None:
    votes = scores(tmp_path / "v.csv", TABLE.replace("NA", missing))
    assert (triples(votes), votes.missing) == (READ, 1)


def test_values_that_mark_a_missing_score_and_words_of_scores_can_be_named(tmp_path: Path) -> None:
    reading = Reading(Scale(1, 5), parse_scores("very good=5,bad, really=1, 3 - Fair = 3"), parse_missing("-1,99,x"))
    content = "".join(f'ann,a,"{cell}"\n' for cell in ("-1", "99.0", "X", "Very Good", "bad, really", "3 - fair", "2"))
    votes = scores(tmp_path / "v.csv", f"who,clip,points\n{content}", reading=reading)
    assert (votes.score, votes.missing) == ([5.0, 1.0, 3.0, 2.0], 3)
    with pytest.raises(BadInputError, match="is Good, but --scale is 1:3"):
        scores(tmp_path / "v.csv", "who,clip,points\nann,a,Good\n", reading=Reading(Scale(1, 3), {"good": 4.0}))


def test_the_example_of_words_is_that_of_the_scale(tmp_path: Path) -> None:
    with pytest.raises(
        BadInputError, match='--scores "extremely bad=1,bad=2,poor=3,fair=4,good=5,excellent=6,ideal=7"'
    ):
        scores(tmp_path / "v.csv", "who,clip,points\nann,a,ideal\n", scale="1:7")


def test_several_columns_together_may_name_a_stimulus(tmp_path: Path) -> None:
    content = "who,src,hrc,points\nann,1,a,1\nann,1,b,2\nben, 1 ,a,3\nben,2,b,4\n"
    roles = {"participant": "who", "stimulus": "src+hrc", "score": "points", "site": "src"}
    votes = scores(tmp_path / "v.csv", content, roles)
    assert votes.sites == {"1+a": "1", "1+b": "1", "2+b": "2"}
    with pytest.raises(BadInputError, match=r"line 2: stimulus \(column 'src\+hrc'\) is empty"):
        scores(tmp_path / "v.csv", "who,src,hrc,points\nann,1,NA,1\n", roles)
    (tmp_path / "v.csv").write_text("who,src,hrc,points,si\nann,1,1,1,9\nann,1,2,2,8\n")
    assert read_metrics(tmp_path / "v.csv", roles).metrics == {"si": {"1+1": 9.0, "1+2": 8.0}}
    # a column of this name comes first
    assert scores(tmp_path / "v.csv", "who,src,hrc,src+hrc,points\nann,1,2,x,1\n", roles).stimulus == ["x"]


def test_a_delimiter_within_the_names_does_not_mislead(tmp_path: Path) -> None:
    content = 'who;"clip, of a, long, name";points\nann;a;2\n'
    assert triples(scores(tmp_path / "v.csv", content, {**ROLES, "stimulus": "clip, of a, long, name"})) == [
        ("ann", "a", 2.0)
    ]


def test_ids_may_be_numbers_and_stay_as_they_are_written(tmp_path: Path) -> None:
    assert triples(scores(tmp_path / "v.csv", "who,clip,points\n7,007,1\n")) == [("7", "007", 1.0)]


def test_sites_and_conditions_belong_to_stimuli(tmp_path: Path) -> None:
    roles = {**ROLES, "site": "page", "condition": "net"}
    content = "who,clip,points,page,net\nann,a,1,x,DSL\nben,b,2,y,DSL\ncem,a,3,x,LTE\n"
    votes = scores(tmp_path / "v.csv", content, roles)
    assert labels(votes) == ({"a": "x", "b": "y"}, {"a": "", "b": "DSL"})


def test_a_site_or_condition_that_is_missing_is_unknown(tmp_path: Path) -> None:
    roles = {**ROLES, "site": "page", "condition": "net"}
    content = "who,clip,points,page,net\nann,a,1,,DSL\nben,a,2,x,NA\ncem,b,3,NA,\ndea,b,3,,\n"
    votes = scores(tmp_path / "v.csv", content, roles)
    assert labels(votes) == ({"a": "x", "b": ""}, {"a": "DSL", "b": ""})


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("who,clip,points\nann,a,9\n", "line 2: score (column 'points') is 9, but --scale is 1:5. "
         "Correct the value, or give the scale that participants saw, such as --scale 1:9; if it marks a missing "
         "score, add --missing 9."),
        ("who,clip,points\nann,a,1\nann,b,good\n", "line 3: score (column 'points') is 'good', which is not a number."),
        ("who,clip,points\nann,a,\"1,5\"\n", "is '1,5', which is not a number. Decimal commas are accepted only if "
         "commas do not separate cells; write 1.5, or separate cells by semicolons."),
        ("who,clip,points\nann,a,4,5\nben,a,1\n", "line 2: 4 cells, but the header has 3; "),
        ("who,clip,points\nben,a,1\nann,a,4,5\n", "in quotes; if a comma is a decimal comma, separate cells by semic"),
        ("who,clip,points\nResponse,Clip,How good?\nann,a,1\n", "line 2: score (column 'points') is 'How good?', which "
         'is not a number. Give the score of each word, such as --scores "How good?=1,...". If this line is a second '
         "heading, remove it."),
        ("who,clip,points\nann,a,inf\n", "is 'inf', which is not a number."),
        ("who,clip,points\nann,a,1_0\n", "is '1_0', which is not a number."),
        ("who,clip,points\n,a,1\n", "line 2: participant (column 'who') is empty; a vote needs it."),
        ("who,clip,points\nann,,1\n", "line 2: stimulus (column 'clip') is empty; a vote needs it."),
        ("who,clip,points,clip\nann,a,1,b\n", "has two columns named 'clip'; rename one of them."),
        ("who,clip,points\nann,a\n", "line 2: 2 cells, but the header has 3; put a text that contains the"),
        ("who,clip,points\n1,ann,a,4\n", "line 2: 4 cells, but the header has 3; if R wrote the file, write it"),
        ("who,clip,points\nann,a,\"1\n", "line 2: not CSV (unexpected end of data)"),
        ("who,clip,points\n", "has no vote: there is no row below the header."),
        ("who,clip,points\nann,a,NA\n", "has no vote: every score is missing."),
        ("", "is empty; the first line must name the columns."),
        ("who,Clip,pionts\nann,a,1\n", "has no column 'clip'; its columns are who, Clip, pionts. Did you mean 'Clip'?"),
        ("who,clip,pionts\nann,a,1\n", "Did you mean 'pionts'?"),
        (b"who,clip,points\nann,\xe9,1\n", "is not UTF-8 text (invalid continuation byte); save it as CSV in UTF-8."),
        (b"PK\x03\x04rest", "is a spreadsheet or a zip; give it as CSV in UTF-8, plain or"),
        ("who,clip,points\n".encode("utf-16"), "is UTF-16 text; give it as CSV in UTF-8, plain or"),
        (gzip.compress(TABLE.encode() * 1000, mtime=0)[:60], "is truncated, so gzip cannot unpack it; compress the"),
        (gzip.compress(TABLE.encode(), mtime=0)[:20] + b"rest of it", "is damaged, so gzip cannot unpack it; compress"),
        (
            gzip.compress(gzip.compress(TABLE.encode(), mtime=0), mtime=0),
            "is compressed by gzip twice; compress the table once.",
        ),
        (TABLE.encode("utf-32"), "is UTF-32 text; give it as CSV in UTF-8"),
        *((f"who,clip,points\nann,a,{code}\n", f"line 2: score (column 'points') is {code}, but --scale is 1:5. If it "
           f"marks a missing score, add --missing {code}; else correct the value.") for code in (-1, -9, 99, 999)),
        ("who,clip,points\nNA,a,1\n", "line 2: participant (column 'who') is 'NA', which marks a missing value; a"),
        ("who,clip,points\nann,NaN,1\n", "line 2: stimulus (column 'clip') is 'NaN', which marks a missing value;"),
        ("who,clip,points\nann,a,Good\n", "is 'Good', which is not a number. Give the score of each word, such as "
         '--scores "bad=1,poor=2,fair=3,good=4,excellent=5".'),
        ("who,clip,points\nann,a,5 - Best\n", 'such as --scores "5 - Best=5,...".'),
        ('\n\nwho,"clip,points\n' + "ann,a,1\n" * 1000, "line 3: the header has a quote that is not closed."),
        ('who,"clip,points\nann,a,1\n', "line 1: the header has a quote that is not closed."),
        (b"\xfd7zXZ\x00", "is compressed by xz; give it as CSV in UTF-8, plain or compressed by gzip."),
        (b"\x28\xb5\x2f\xfd", "is compressed by zstd; give it as CSV"),
        ("who clip points\nann a 1\n", "has no column 'who'; its columns are who clip points. Spaces seem to separate"),
        ("ann,a,1\nben,a,2\n", "Its first line seems to be a vote; write a line with the names of the columns above"),
        ("ann,1,1\nben,1,2\n", "has two columns named '1'; rename one of them. Its first line seems to be a vote;"),
        ("clip,MOS,std\na,3.5,1\n", "It seems to have means of stimuli (MOS); single votes are needed, one per row."),
    ],
)  # fmt: skip
def test_a_wrong_table_is_refused_with_a_sentence(tmp_path: Path, content: str | bytes, sentence: str) -> None:
    with pytest.raises(BadInputError) as refused:
        scores(tmp_path / "v.csv", content)
    assert str(refused.value).startswith(str(tmp_path / "v.csv"))
    assert sentence in str(refused.value)


def test_the_line_of_a_wrong_value_counts_line_breaks_in_quotes_and_a_header_of_two_lines(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="line 5: score"):
        scores(tmp_path / "v.csv", 'who,"clip\nid",points\nann,"a\nb",1\nann,c,7\n', {**ROLES, "stimulus": "clip\nid"})


def test_a_stimulus_of_two_sites_is_refused(tmp_path: Path) -> None:
    content = "who,clip,points,page\nann,a,1,x\nben,a,2,y\n"
    with pytest.raises(BadInputError, match=r"line 3: site \(column 'page'\) is 'y', but 'x' in an earlier row"):
        scores(tmp_path / "v.csv", content, {**ROLES, "site": "page"})


def test_a_wide_table_is_refused_and_long_is_explained(tmp_path: Path) -> None:
    wide = "clip,s1,s2,s3,s4,s5,s6\na,1,2,3,NA,5,4\n"
    with pytest.raises(BadInputError) as refused:
        scores(tmp_path / "v.csv", wide)
    assert "has no column 'who'; its columns are clip, s1, s2, s3, s4, s5, s6." in str(refused.value)
    assert "The table looks wide, with a column per stimulus or participant. A long table has one row per vote" in str(
        refused.value
    )
    with pytest.raises(BadInputError) as refused:
        scores(tmp_path / "v.csv", "a,b,c\nx,y,z\n")
    assert "looks wide" not in str(refused.value)


def test_a_folder_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    for path, said in ((tmp_path, "is a folder; give a CSV file."), (tmp_path / "no.csv", "does not exist; give a")):
        with pytest.raises(BadInputError, match=said):
            read_scores(path, ROLES, Reading(Scale(1, 5)), elsewhere=NOWHERE)


class TestOptions:
    def test_columns_have_roles_and_names_may_contain_commas(self) -> None:
        assert parse_columns("participant=P, stimulus=clip, of a site,score=S,site=W") == {
            "participant": "P",
            "stimulus": "clip, of a site",
            "score": "S",
            "site": "W",
        }

    @pytest.mark.parametrize(
        ("text", "sentence"),
        [
            ("participant=P,stimulus=C", "the role score is missing. A long table has one row per vote"),
            ("participant=P,stimulus=C,score", "the role score is missing|is not of the form"),
            ("participant=P,stimulus=C,score=", "'score=' is not of the form ROLE=COLUMN"),
            ("particpant=P,stimulus=C,score=S", "the role 'particpant' is unknown; .* Did you mean participant?"),
            ("participant=P,participant=Q,score=S", "the role participant is given twice, as 'P' and 'Q'; keep one."),
            ("participant=P,stimulus=P,score=S", "the column 'P' has two roles"),
            ("participant=P,left=L,right=R", "the role choice is missing"),
            (
                "participant=P,stimulus=C,score=S,choice=X",
                "choice cannot be combined with participant, stimulus, score",
            ),
        ],
    )
    def test_wrong_columns_are_refused(self, text: str, sentence: str) -> None:
        with pytest.raises(ValueError, match=sentence):
            parse_columns(text)

    @pytest.mark.parametrize(("text", "low", "high"), [("1:5", 1, 5), ("-3:3", -3, 3), ("0:100.5", 0, 100.5)])
    def test_a_scale_has_two_ends(self, text: str, low: float, high: float) -> None:
        assert parse_scale(text) == Scale(low, high)

    @pytest.mark.parametrize(
        ("text", "sentence"),
        [
            ("5", "'5' is not of the form LOW:HIGH, such as 1:5."),
            ("1:x", "is not of the form"),
            ("1:inf", "is not of the form"),
            ("5:1", "'5:1' ends at 1, which is not above 5; give the lowest score first."),
        ],
    )
    def test_a_wrong_scale_is_refused(self, text: str, sentence: str) -> None:
        with pytest.raises(ValueError, match=sentence):
            parse_scale(text)

    def test_sites_and_conditions_do_not_go_with_pairs(self) -> None:
        for role in ("site", "condition"):
            with pytest.raises(ValueError, match=f"the role {role} applies only to scores"):
                parse_columns(f"participant=P,left=L,right=R,choice=C,{role}=S")

    @pytest.mark.parametrize("text", ["good", "good=", "good=x", "=1", "bad=1,,good=2", ""])
    def test_wrong_words_of_scores_are_refused(self, text: str) -> None:
        with pytest.raises(ValueError, match="is not of the form WORD=SCORE, such as bad=1,poor=2"):
            parse_scores(text)

    def test_a_word_with_two_scores_and_an_empty_marker_are_refused(self) -> None:
        with pytest.raises(ValueError, match="'Bad' is given two scores; keep one"):
            parse_scores("bad=1,Bad=2")
        with pytest.raises(ValueError, match="'-1,' is not a list of values that mark a missing score"):
            parse_missing("-1,")

    def test_words_of_choices(self) -> None:
        assert parse_choices("left=1,right=2,none=0,none=Same") == {
            "1": Choice.LEFT,
            "2": Choice.RIGHT,
            "0": Choice.NONE,
            "same": Choice.NONE,
        }
        with pytest.raises(ValueError, match="'up=1' is not of the form left=WORD"):
            parse_choices("up=1")
        with pytest.raises(ValueError, match="'1' is given two meanings"):
            parse_choices("left=1,right=1")


class TestMetrics:
    def read(self, path: Path, content: str) -> dict[str, dict[str, float | None]]:
        path.write_text(content)
        return read_metrics(path, {**ROLES, "site": "page"}).metrics

    def test_columns_of_figures_are_metrics_and_unknown_is_none(self, tmp_path: Path) -> None:
        path = tmp_path / "m.csv"
        assert self.read(path, "clip,si,codec,psnr,empty,page\na,1,x,inf,,1\nb,NA,2,30,,2\n") == {
            "si": {"a": 1.0, "b": None},
            "psnr": {"a": None, "b": 30.0},
        }
        found = read_metrics(path, {**ROLES, "site": "page"})
        assert (found.not_numeric, found.infinite, found.labels) == (
            ("codec (line 2: 'x')", "empty"),
            1,
            {"site": {"a": "1", "b": "2"}},
        )

    def test_decimal_commas_in_quotes_are_named_with_the_cure(self, tmp_path: Path) -> None:
        (tmp_path / "m.csv").write_text('clip,si,q\na,"1,5",1\nb,"2,5",2\n')
        assert read_metrics(tmp_path / "m.csv", ROLES).not_numeric == (
            "si (line 2: '1,5'. Decimal commas are accepted only if commas do not separate cells; write 1.5, or "
            "separate cells by semicolons.)",
        )

    def test_the_stimulus_may_be_named_as_in_the_votes_or_stimulus(self, tmp_path: Path) -> None:
        assert self.read(tmp_path / "m.csv", "stimulus;si\na;1,5\n") == {"si": {"a": 1.5}}
        with pytest.raises(BadInputError, match="has no column 'clip'; its columns are video, si"):
            self.read(tmp_path / "m.csv", "video,si\na,1\n")

    def test_the_table_of_votes_may_be_the_table_of_metrics(self, tmp_path: Path) -> None:
        content = "who,clip,points,si,delay,page\nann,a,1,5,1,x\nben,a,2,NA,2,x\nann,b,3,,3,y\ncem,b,3,7,3,y\n"
        assert self.read(tmp_path / "v.csv", content) == {"si": {"a": 5.0, "b": 7.0}}
        assert read_metrics(tmp_path / "v.csv", ROLES).varying == ("delay (stimulus 'a', line 3)",)
        with pytest.raises(BadInputError, match="line 3: the stimulus 'a' has the site 'y', but 'x' above"):
            self.read(tmp_path / "v.csv", "clip,si,page\na,1,x\na,1,y\n")

    def test_a_table_without_metrics_and_a_row_without_a_stimulus_are_refused(self, tmp_path: Path) -> None:
        with pytest.raises(BadInputError, match=r"no column has one number per stimulus \(codec\)\."):
            self.read(tmp_path / "m.csv", "clip,codec\na,x\n")
        with pytest.raises(BadInputError, match=r"\(si\); of some, .* several values: si \(stimulus 'a', line 3\)"):
            self.read(tmp_path / "m.csv", "clip,si\na,1\na,2\n")
        with pytest.raises(BadInputError, match=r"line 2: stimulus \(column 'clip'\) is empty"):
            self.read(tmp_path / "m.csv", "clip,si\n,1\n")

    @pytest.mark.parametrize("header", ["Unnamed: 0,clip,si", ",clip,si"])
    def test_a_first_column_that_numbers_rows_is_no_metric(self, tmp_path: Path, header: str) -> None:
        assert self.read(tmp_path / "m.csv", f"{header}\n0,a,5\n1,b,7\n") == {"si": {"a": 5.0, "b": 7.0}}

    def test_metrics_may_be_chosen(self, tmp_path: Path) -> None:
        path = tmp_path / "m.csv"
        path.write_text("clip,si,mos,codec\na,5,1,x\nb,7,2,y\n")
        assert list(read_metrics(path, ROLES, chosen=["si"]).metrics) == ["si"]
        with pytest.raises(BadInputError, match=r"has no column 'SI'; .* Did you mean 'si'"):
            read_metrics(path, ROLES, chosen=["SI"])
        with pytest.raises(BadInputError, match=r"--metric codec: this column of .* has a role, or not one number per"):
            read_metrics(path, ROLES, chosen=["si", "codec"])

    @pytest.mark.parametrize(
        ("content", "value", "notices"),
        [
            ("clip,si\na,1.500\n", 1.5, 0),
            ("clip;si\na;1,500\n", 1.5, 1),
            ("clip;si\na;1.500\n", 1.5, 1),
            ("clip\tsi\na\t1.500\n", 1.5, 1),
            ("clip\tsi\na\t0.734\n", 0.734, 0),
            ("clip\tsi\na\t1,5\n", 1.5, 0),
            ("clip;si;q\na;1,500;0,98\n", 1.5, 0),
        ],
    )
    def test_a_figure_that_can_be_read_in_two_ways_is_named(
        self, tmp_path: Path, content: str, value: float, notices: int
    ) -> None:
        (tmp_path / "m.csv").write_text(content)
        found = read_metrics(tmp_path / "m.csv", ROLES)
        assert (found.metrics["si"]["a"], len(found.notices)) == (value, notices)
        assert all("si, line 2: '1" in notice for notice in found.notices)

    @pytest.mark.parametrize(
        ("content", "sentence"),
        [
            ("clip\tsi\na\t1,500\n", r"the comma may be a decimal comma or separate thousands \(si, line 2: '1,500'\)"),
            ("clip;si;q\na;1.500;0,9\n", r"with commas \(q, line 2: '0,9'\) and with points \(si, line 2: '1.500'\)"),
            ("clip;si\na;1.234,5\n", r"per stimulus \(si \(line 2: '1.234,5'. Write 1234.5.\)\)"),
        ],
    )
    def test_figures_that_cannot_be_read_for_certain_are_refused(
        self, tmp_path: Path, content: str, sentence: str
    ) -> None:
        with pytest.raises(BadInputError, match=sentence):
            self.read(tmp_path / "m.csv", content)

    @pytest.mark.parametrize(("cell", "meant"), [("1.234,5", "1234.5"), ("1,234.5", "1234.5"), ("1 234", "1234")])
    def test_a_figure_with_a_separator_of_thousands_is_named_where_the_column_is_left_out(
        self, tmp_path: Path, cell: str, meant: str
    ) -> None:
        (tmp_path / "m.csv").write_text(f"clip;si;q\na;5;1\nb;{cell};2\n")
        assert read_metrics(tmp_path / "m.csv", ROLES).not_numeric == (f"si (line 3: {cell!r}. Write {meant}.)",)


FORM = {"participant": "who", "left": "l", "right": "r", "choice": "c"}


class TestPairs:
    def read(self, path: Path, content: str, roles: dict[str, str] | None = None) -> list[tuple[str, str, str, Choice]]:
        path.write_text(content)
        return list(read_pairs(path, roles or FORM).votes)

    def test_words_of_choices_in_any_case(self, tmp_path: Path) -> None:
        words = ["left", "First", "A", "RIGHT", "second", "b", "none", "Tie", "no difference"]
        found = self.read(tmp_path / "p.csv", "who,l,r,c\n" + "".join(f"ann,x,y,{word}\n" for word in [*words, "NA"]))
        assert [choice for *_, choice in found] == ["left"] * 3 + ["right"] * 3 + ["none"] * 3

    def test_a_figure_is_no_choice_until_somebody_says_what_it_means(self, tmp_path: Path) -> None:
        with pytest.raises(BadInputError, match=r"line 2: choice \(column 'c'\) is '1', .* such as --choices left=1"):
            self.read(tmp_path / "p.csv", "who,l,r,c\nann,x,y,1\n")
        found = read_pairs(tmp_path / "p.csv", FORM, parse_choices("right=1"))
        assert found.votes == (("ann", "x", "y", Choice.RIGHT),)

    def test_the_winner_is_named_or_there_is_a_tie(self, tmp_path: Path) -> None:
        roles = {"participant": "who", "left": "l", "right": "r", "winner": "w"}
        content = "who,l,r,w\nann,x,y,x\nann,x,y,y\nann,x,y,tie\nann,x,y,\n"
        assert [choice for *_, choice in self.read(tmp_path / "p.csv", content, roles)] == ["left", "right", "none"]
        with pytest.raises(BadInputError, match=r"line 2: winner \(column 'w'\) is 'z', but must be 'x', 'y' or tie."):
            self.read(tmp_path / "p.csv", "who,l,r,w\nann,x,y,z\n", roles)

    def test_an_answer_that_names_a_stimulus_is_no_side(self, tmp_path: Path) -> None:
        said = r"line 2: choice \(column 'c'\) is 'A', which names a stimulus of the table. .* the role winner"
        for content in ("who,l,r,c\np1,B,A,A\n", "who,l,r,c\np1,x,y,A\np1,a,x,right\n"):
            with pytest.raises(BadInputError, match=said):
                self.read(tmp_path / "p.csv", content)
        with pytest.raises(BadInputError, match=r"is 'X264', which names a stimulus of the table\. .* role winner"):
            self.read(tmp_path / "p.csv", "who,l,r,c\np1,x265,x264,X264\n")
        # no stimulus has these names
        assert len(self.read(tmp_path / "p.csv", "who,l,r,c\np1,x,y,A\np1,y,x,b\n")) == 2

    def test_an_answer_that_names_a_stimulus_is_read_as_a_side_where_the_option_says_so(self, tmp_path: Path) -> None:
        (tmp_path / "p.csv").write_text("who,l,r,c\np1,B,A,A\n")
        found = read_pairs(tmp_path / "p.csv", FORM, parse_choices("left=a,right=b"))
        assert (found.votes, found.also_names) == ((("p1", "B", "A", Choice.LEFT),), ("A",))

    def test_an_empty_answer_is_a_tie_where_the_option_says_so(self, tmp_path: Path) -> None:
        (tmp_path / "p.csv").write_text("who,l,r,c\nann,x,y,1\nann,x,y,\n")
        found = read_pairs(tmp_path / "p.csv", FORM, parse_choices("left=1,right=2,none="))
        assert [choice for *_, choice in found.votes] == ["left", "none"]

    def test_whole_numbers_may_be_written_as_floats(self, tmp_path: Path) -> None:
        (tmp_path / "p.csv").write_text("who,l,r,c\nann,x,y,1.0\nann,x,y,2.0\nann,x,y,\n")
        found = read_pairs(tmp_path / "p.csv", FORM, parse_choices("left=1,right=2.0"))
        assert [choice for *_, choice in found.votes] == ["left", "right"]
        roles = {"participant": "who", "left": "l", "right": "r", "winner": "w"}
        (vote,) = self.read(tmp_path / "p.csv", "who,l,r,w\nann,1,2,2.0\nann,1,2,\n", roles)
        assert vote == ("ann", "1", "2", Choice.RIGHT)

    @pytest.mark.parametrize("answer", ["left", "Right", "0", "1", "-1.0"])
    def test_a_winner_that_is_a_side_points_to_the_role_choice(self, tmp_path: Path, answer: str) -> None:
        roles = {"participant": "who", "left": "l", "right": "r", "winner": "w"}
        with pytest.raises(BadInputError, match=r"or tie\. If it names a side, give the column the role choice\."):
            self.read(tmp_path / "p.csv", f"who,l,r,w\nann,x,y,{answer}\n", roles)

    def test_winner_and_loser_have_no_sides(self, tmp_path: Path) -> None:
        path = tmp_path / "p.csv"
        path.write_text("who,w,l\nann,x,y\n")
        found = read_pairs(path, {"participant": "who", "winner": "w", "loser": "l"})
        assert (found.votes, found.sided) == ((("ann", "x", "y", Choice.LEFT),), False)

    def test_a_stimulus_beside_itself_is_kept_apart_where_the_answer_says_a_side(self, tmp_path: Path) -> None:
        path = tmp_path / "p.csv"
        path.write_text("who,l,r,c\nann,x,y,left\nann,x,x,right\nann,y,y,tie\nann,y,y,NA\n")
        found = read_pairs(path, FORM)
        assert found.votes == (("ann", "x", "y", Choice.LEFT),)
        assert found.same == (("ann", "x", "x", Choice.RIGHT), ("ann", "y", "y", Choice.NONE))
        assert (found.rows, found.missing) == (4, 1)
        roles = {"participant": "who", "left": "l", "right": "r", "winner": "w"}
        with pytest.raises(BadInputError, match="line 2: both sides show 'x', and the answer is also 'x'"):
            self.read(tmp_path / "q.csv", "who,l,r,w\nann,x,x,x\n", roles)

    @pytest.mark.parametrize(
        ("content", "sentence"),
        [
            ("who,l,r,c\nann,x,x,left\n", "has no vote about two stimuli: every pair shows the same stimulus twice."),
            ("who,l,r,c\nann,,x,left\n", r"line 2: left \(column 'l'\) is empty"),
            (
                "who,l,r,c\nNaN,y,x,left\n",
                r"line 2: participant \(column 'who'\) is 'NaN', which marks a missing value",
            ),
            ("who,l,r,c\nann,x,y,NA\n", "has no vote about two stimuli: every choice is missing."),
        ],
    )
    def test_wrong_pairs_are_refused(self, tmp_path: Path, content: str, sentence: str) -> None:
        with pytest.raises(BadInputError, match=sentence):
            self.read(tmp_path / "p.csv", content)
