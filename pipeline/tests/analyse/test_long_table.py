"""Other people's tables are read as they are, and a wrong one is refused with file, line, column, value and cure."""

import gzip
from pathlib import Path

import pytest

from eyelevel.analyse.long_table.metric_table import read_metrics
from eyelevel.analyse.long_table.pairs import read_pairs
from eyelevel.analyse.long_table.roles import Scale, parse_choices, parse_columns, parse_scale
from eyelevel.analyse.long_table.scores import ScoreVotes, read_scores
from eyelevel.analyse.long_table.wording import WORDS, Choice
from eyelevel.errors import BadInputError

ROLES = {"participant": "who", "stimulus": "clip", "score": "points"}
TABLE = "who,clip,points\nann,a,1\nben,a,4.5\nann,b,NA\n"
NOWHERE: frozenset[str] = frozenset()


def scores(path: Path, content: str | bytes, roles: dict[str, str] | None = None, scale: str = "1:5") -> ScoreVotes:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_scores(path, roles or ROLES, parse_scale(scale), elsewhere=NOWHERE)


def triples(votes: ScoreVotes) -> list[tuple[str, str, float]]:
    return [
        (votes.participants[person], votes.stimuli[stimulus], score)
        for person, stimulus, score in zip(
            votes.person.tolist(), votes.stimulus.tolist(), votes.score.tolist(), strict=True
        )
    ]


READ = [("ann", "a", 1.0), ("ben", "a", 4.5)]


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
    ],
    ids=["commas", "byte order mark", "CRLF", "semicolons", "decimal comma", "tabs", "bars", "quotes, spaces, extra",
         "empty rows", "empty cells at the end", "gzip"],
)  # fmt: skip
def test_a_table_is_read_as_it_is(tmp_path: Path, content: str | bytes) -> None:
    votes = scores(tmp_path / "v.csv", content)
    assert triples(votes) == READ
    assert (votes.rows, votes.missing) == (3, 1)


@pytest.mark.parametrize("missing", ["", "NA", "nan", "NaN", "n/a", "null", ".", " "])
def test_a_missing_score_is_counted_and_left_out(tmp_path: Path, missing: str) -> None:
    votes = scores(tmp_path / "v.csv", TABLE.replace("NA", missing))
    assert (triples(votes), votes.missing, votes.stimuli) == (READ, 1, ("a",))


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
    assert (votes.stimuli, votes.sites, votes.conditions) == (("a", "b"), ("x", "y"), (None, "DSL"))


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("who,clip,points\nann,a,9\n", "line 2: score (column 'points') is 9, but --scale is 1:5. "
         "Correct the value, or give the scale that participants saw, such as --scale 1:9."),
        ("who,clip,points\nann,a,1\nann,b,good\n", "line 3: score (column 'points') is 'good', which is not a number."),
        ("who,clip,points\nann,a,\"1,5\"\n", "is '1,5', which is not a number. Decimal commas are read only"),
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
        (b"PK\x03\x04rest", "is a spreadsheet or a zip; save it as CSV in UTF-8."),
        ("who,clip,points\n".encode("utf-16"), "is UTF-16 text; save it as CSV in UTF-8."),
        (gzip.compress(TABLE.encode() * 1000, mtime=0)[:60], "is a damaged gzip file"),
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
            read_scores(path, ROLES, Scale(1, 5), elsewhere=NOWHERE)


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
            ("participant=P,stimulus=C,score=S,choice=X", "choice does not go with participant, stimulus, score"),
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
            ("codec", "empty"),
            1,
            {"site": {"a": "1", "b": "2"}},
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
        with pytest.raises(BadInputError, match=r"no column has one figure per stimulus \(codec\)\."):
            self.read(tmp_path / "m.csv", "clip,codec\na,x\n")
        with pytest.raises(BadInputError, match=r"\(si\); of some, .* several values: si \(stimulus 'a', line 3\)"):
            self.read(tmp_path / "m.csv", "clip,si\na,1\na,2\n")
        with pytest.raises(BadInputError, match=r"line 2: stimulus \(column 'clip'\) is empty"):
            self.read(tmp_path / "m.csv", "clip,si\n,1\n")


FORM = {"participant": "who", "left": "l", "right": "r", "choice": "c"}


class TestPairs:
    def read(self, path: Path, content: str, roles: dict[str, str] | None = None) -> list[tuple[str, str, str, Choice]]:
        path.write_text(content)
        return list(read_pairs(path, roles or FORM, WORDS).votes)

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

    def test_winner_and_loser_have_no_sides(self, tmp_path: Path) -> None:
        path = tmp_path / "p.csv"
        path.write_text("who,w,l\nann,x,y\n")
        found = read_pairs(path, {"participant": "who", "winner": "w", "loser": "l"}, WORDS)
        assert (found.votes, found.sided) == ((("ann", "x", "y", Choice.LEFT),), False)

    def test_a_stimulus_beside_itself_is_kept_apart_where_the_answer_says_a_side(self, tmp_path: Path) -> None:
        path = tmp_path / "p.csv"
        path.write_text("who,l,r,c\nann,x,y,left\nann,x,x,right\nann,y,y,tie\nann,y,y,NA\n")
        found = read_pairs(path, FORM, WORDS)
        assert found.votes == (("ann", "x", "y", Choice.LEFT),)
        assert found.same == (("ann", "x", Choice.RIGHT), ("ann", "y", Choice.NONE))
        assert (found.rows, found.missing) == (4, 1)
        roles = {"participant": "who", "left": "l", "right": "r", "winner": "w"}
        with pytest.raises(BadInputError, match="line 2: both sides show 'x', and so does the answer"):
            self.read(tmp_path / "q.csv", "who,l,r,w\nann,x,x,x\n", roles)

    @pytest.mark.parametrize(
        ("content", "sentence"),
        [
            ("who,l,r,c\nann,x,x,left\n", "has no vote about two stimuli: every pair shows one stimulus twice."),
            ("who,l,r,c\nann,,x,left\n", r"line 2: left \(column 'l'\) is empty"),
            ("who,l,r,c\nann,x,y,NA\n", "has no vote about two stimuli: every choice is missing."),
        ],
    )
    def test_wrong_pairs_are_refused(self, tmp_path: Path, content: str, sentence: str) -> None:
        with pytest.raises(BadInputError, match=sentence):
            self.read(tmp_path / "p.csv", content)
