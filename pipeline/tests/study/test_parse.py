"""A study file as text: the line of what is wrong, YAML that is refused, and texts that would be a burden."""

import json
import time
from pathlib import Path

import pytest

from eyelevel_core.study.file import read_study_file
from eyelevel_core.study.parse import MAX_BYTES, StudyError, decoded, parse_study

DEMO = Path(__file__).parents[3] / "fixtures" / "study-demo.yaml"
TOO_LARGE = "study.yaml: the file has 262145 bytes, but a study file has at most 262144; shorten it."


def demo(old: str, new: str, *, count: int = 1) -> str:
    source = DEMO.read_text()
    assert old in source
    return source.replace(old, new, count)


def line_of(part: str) -> int:
    (line,) = [n for n, line in enumerate(DEMO.read_text().splitlines(), 1) if part in line]
    return line


@pytest.mark.parametrize(
    ("text", "line", "rest"),
    [
        # the field itself, also in flow style
        (
            demo("count: 2", "count: 0"),
            line_of("count: 2"),
            "trials[1].count is 0, but must be a whole number from 1 to 200.",
        ),
        (
            demo("label: {en: Male, de: Männlich}", "label: {en: Male}"),
            line_of("en: Male,"),
            "questions[0].choices[1].label has no text in de",
        ),
        (
            demo("  sessions: 100", "  sessions: .inf"),
            line_of("sessions: 100"),
            "quota.sessions is .inf, but must be a finite number.",
        ),
        # a lacking field is told where its parent begins
        (demo("  - kind: rate\n    count: 4", "  - kind: rate"), line_of("kind: rate"), "trials[0].count is missing"),
        (demo("key: free-time", "key: work"), line_of("key: free-time"), 'contexts[1] repeats "work"'),
    ],
)
def test_the_line_is_named(text: str, line: int, rest: str) -> None:
    with pytest.raises(StudyError) as caught:
        read_study_file(text, source="study.yaml")
    assert str(caught.value).startswith(f"study.yaml, line {line}: {rest}")
    assert caught.value.line == line


@pytest.mark.parametrize(
    ("text", "line", "rest"),
    [
        ("a: &x [1]\nb: *x\n", 1, "the line uses the anchor &x; write the value at each place where it is needed, or"),
        ("a: *x\n", 1, "the line uses the alias *x; write the value out, or, if it begins a text, put the text in"),
        ("a: &QUIC is better\n", 1, "the line uses the anchor &QUIC; write"),
        ("a: !QUIC is better\n", 1, "the line uses the tag !QUIC; leave it out, or, if it begins a text, put the text"),
        ("a: !!python/name:os.system ''\n", 1, "the line uses the tag !!python/name:os.system; leave it out"),
        ("? [a]\n: 1\n", 1, "the name of a field is not a text; write one."),
    ],
)
def test_text_that_is_no_plain_yaml_is_refused(text: str, line: int | None, rest: str) -> None:
    with pytest.raises(StudyError) as caught:
        parse_study(text, source="study.yaml")
    place = "study.yaml" if line is None else f"study.yaml, line {line}"
    assert str(caught.value).startswith(f"{place}: {rest}")
    assert caught.value.line == line


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: \x01", "study.yaml, line 1, column 4: the line contains the character U+0001; remove it."),
        ("x" * MAX_BYTES + "y", TOO_LARGE),
        ("ä" * (MAX_BYTES // 2) + "y", TOO_LARGE),
        ("[" * 51, "study.yaml, line 1: the line is nested deeper than 50 levels; a study file needs fewer than ten."),
        ("\n- [{a: " + "[" * 48, "study.yaml, line 2: the line is nested deeper than 50 levels"),
        ("\ud800", "study.yaml, line 1, column 1: the line contains the character U+D800; remove it."),
    ],
)
def test_text_that_would_be_a_burden_is_refused_in_one_line(text: str, message: str) -> None:
    with pytest.raises(StudyError) as caught:
        parse_study(text, source="study.yaml")
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("code", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_is_named(code: str) -> None:
    with pytest.raises(StudyError, match=r"^study\.yaml: the file looks like UTF-16; save it as UTF-8\.$"):
        parse_study(decoded("contract: eyelevel/study/1\n".encode(code), source="study.yaml"), source="study.yaml")


LOST = "as a comment, so it is lost; put the whole text in quotes:"


@pytest.mark.parametrize(
    ("text", "place", "says"),
    [
        ("en: Study #1, I agree\n", (1, 11), f'YAML reads "#1, I agree" {LOST} en: "Study #1, I agree". If it is a'),
        ("en: Study # 1\n", (1, 11), f'YAML reads "# 1" {LOST} en: "Study # 1".'),
        ("a: {en: Study #1\n}\n", (1, 15), f'YAML reads "#1" {LOST} en: "Study #1".'),
        ("a:\n- TCP+  #2\n", (2, 9), f'YAML reads "#2" {LOST} "TCP+  #2".'),
        ("says: one\n  two #3\n", (2, 7), f'YAML reads "#3" {LOST} says: "one two #3".'),
        ("en: I agree\n  #1, too\nb: 1\n", (2, 3), f'YAML reads "#1, too" {LOST} en: "I agree #1, too".'),
        ("- TCP+\n  #2\n", (2, 3), f'YAML reads "#2" {LOST} "TCP+ #2".'),
        ("says: #1 in speed\n", (1, 7), f'YAML reads "#1 in speed" {LOST} says: "#1 in speed".'),
        ("says: QUIC is # 1\n", (1, 15), f'YAML reads "# 1" {LOST} says: "QUIC is # 1".'),
        (
            "version: \u201c1\u201d\n",
            (1, 10),
            "the text stands between \u201c (LEFT DOUBLE QUOTATION MARK, U+201C) and \u201d (RIGHT DOUBLE QUOTATION "
            'MARK, U+201D), which YAML does not read as quotes; write version: "1", or, to keep them, '
            'version: "\u201c1\u201d".',
        ),
    ],
)
def test_a_text_without_quotes_that_yaml_cuts_off_is_named(text: str, place: tuple[int, int], says: str) -> None:
    (fault,) = parse_study(text, source="study.yaml").misread
    assert (fault.line, fault.column) == place
    assert fault.says.startswith(says)


@pytest.mark.parametrize(
    "text",
    [
        "name: first # of two\n",
        "en: Is it fast?  # for everybody\n",
        "says: 'QUIC is #1' #1\n",
        "en: issue#1\n",
        "count: 4 #5\n",
        "a: [b, c] #d\n",
        "a: # list\n- b\n",
        "en: |  # text\n  a #1\n",
        "en: it\n# begins here\n",
        "- kind: rate\n  #count: 4\n  training: 0\n",
        "en: it\n  # is told\n",
        "- a\n#- b\n",
        "says: \u201cFast\u201d is \u201cbetter\u201d\n",
        "says: \u201cFast\u201d is better\n",
    ],
)
def test_a_comment_is_no_fault(text: str) -> None:
    assert parse_study(text, source="study.yaml").misread == []


def test_what_is_within_the_limits_is_parsed() -> None:
    deep = "[" * 50 + "]" * 50
    assert parse_study(deep, source="study.yaml").value == json.loads(deep)
    assert parse_study("x" * MAX_BYTES, source="study.yaml").value == "x" * MAX_BYTES


# each took between 5 s and more than a minute of processor time
@pytest.mark.parametrize("text", ["[" * 200_000, "- " * 100_000, "{a: " * 50_000, "? " * 100_000])
def test_deep_nesting_is_refused_at_once(text: str) -> None:
    began = time.process_time()
    with pytest.raises(StudyError, match="the line is nested deeper than 50 levels"):
        parse_study(text, source="study.yaml")
    assert time.process_time() - began < 0.5


def test_the_time_grows_with_the_text_and_not_with_its_square() -> None:
    def took(entries: int) -> float:
        text = "\n".join(f"k{number}: [1, b]" for number in range(entries))
        began = time.process_time()
        parse_study(text, source="study.yaml")
        return time.process_time() - began

    short, long = (min(took(entries) for _ in range(3)) for entries in (1_000, 10_000))
    # ten times the text; a hundred times the time if it were quadratic
    assert long < 40 * short
