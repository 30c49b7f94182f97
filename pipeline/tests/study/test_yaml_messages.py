"""Tests of the sentences about texts that are no YAML, on a few lines each."""

import pytest
import yaml

from eyelevel_core.study.yaml_messages import LineFault, explained, odd_name, unreadable

BACKSLASH = "the line has a backslash in double quotes that stands for no character; double it, or use single quotes."
VALUE = "the line lacks a value at this place; write one, or delete the comma or bracket."
CUT = "so the list opened with [ is not closed; put the text that contains # in quotes."


@pytest.mark.parametrize(
    ("text", "line", "column", "says"),
    [
        ("a: 1\n--- \nb: 2\n", 2, 1, "the line begins a second document (---); a study file has only one."),
        ('a: "\\q"\n', 1, 5, BACKSLASH),
        ("a: - b\n", 1, 4, "the line begins a list behind a colon; write each - on its own line."),
        ("a: |x\n  b\n", 1, 5, "the line has text behind |; begin the text on the next line, or put it in quotes."),
        ("a: @b\n", 1, 4, "the line has a text that begins with @; put the text in quotes."),
        ("a: [1,,2]\n", 1, 7, VALUE),
        ("a\nb: 1\n", 1, None, 'the line has no colon: "a"; write a field as NAME: VALUE.'),
        ("a: 1\nb:2\nc: 3\n", 2, 2, 'the line has no space after the colon: "b:2"; add a space.'),
        ('a: "b\n', 1, 4, "the line opens a quote that is not closed; add the closing quote."),
        ("a:\n  - b\n - c\n", 3, 2, "the line begins with 1 space, but the lines beside it with 2; write 2."),
        ("a: [b c: d e: f]\n", 1, 13, "the line lacks a comma between two entries; write it."),
        ("a: [b, c #d]\ne: 1\n", 1, 10, f'YAML reads "#d]" as a comment, {CUT}'),
    ],
)
def test_a_text_that_is_no_yaml_is_explained(text: str, line: int, column: int | None, says: str) -> None:
    with pytest.raises(yaml.MarkedYAMLError) as caught:
        yaml.load(text, Loader=yaml.CSafeLoader)
    assert explained(caught.value, text) == LineFault(line, column, says)


def test_an_error_without_a_place_is_told_of_all_the_text() -> None:
    says = "the text cannot be read as YAML; check its indentation, quotes and colons."
    assert explained(yaml.MarkedYAMLError(), "a") == LineFault(1, None, says)


def test_characters_that_yaml_cannot_contain_are_named() -> None:
    assert unreadable("a: 1\nb: \x01\n") == LineFault(2, 4, "the line contains the character U+0001; remove it.")
    assert unreadable("a\0:\0 \x001\0") == LineFault(None, None, "the file looks like UTF-16; save it as UTF-8.")
    assert unreadable("a: \u00e9\t\x85") is None


def test_names_of_fields_with_odd_characters_are_named() -> None:
    assert odd_name("a", ["a: 1"], 1) is None
    dash = odd_name("\u2013 a", ["\u2013 a: 1"], 1)
    assert dash == LineFault(1, 1, "the line begins with \u2013 (EN DASH, U+2013) in place of -; write - and a space.")
    space = odd_name("a\u00a0b", ["a\u00a0b: 1"], 1)
    assert space is not None
    assert space.says.startswith("the line has a NO-BREAK SPACE (U+00A0)")
