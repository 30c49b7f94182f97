"""A study file is read strictly, and what is wrong with it is named with its line."""

import pytest
import yaml

from studies.draft import DraftError, read
from testing.studies import design

TEXT = yaml.safe_dump(design(), sort_keys=False)


def test_a_good_file_is_read() -> None:
    assert read(TEXT).design == design()


def error_of(text: str) -> DraftError:
    with pytest.raises(DraftError) as caught:
        read(text)
    return caught.value


def line_of(start: str, text: str = TEXT) -> int:
    return next(number for number, line in enumerate(text.splitlines(), start=1) if line.lstrip(" -").startswith(start))


def test_a_wrong_value_is_named_with_its_line() -> None:
    error = error_of(TEXT.replace("seed: 7", "seed: seven"))
    assert (error.line, error.field) == (line_of("seed:"), "seed")
    assert str(error).startswith(f"Line {line_of('seed:')}: study: seed is wrong")


def test_a_missing_field_is_named_where_it_should_be() -> None:
    error = error_of(TEXT.replace("contact: study@example.org\n", ""))
    assert error.line == 1
    assert "'contact' is a required property" in str(error)


def test_a_field_deep_inside_is_found() -> None:
    error = error_of(TEXT.replace("key: young", "key: Young!"))
    assert (error.line, error.field) == (line_of("key: young"), "questions[0].choices[0].key")


def test_a_field_written_twice_is_named() -> None:
    error = error_of(TEXT + "seed: 8\n")
    assert str(error) == f"Line {len(TEXT.splitlines()) + 1}: seed is written twice."


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a: [1", "Line 1: This is no YAML"),
        ("a: !!python/object/apply:os.system [ls]", "This is no YAML"),
        ("a: &x 1\nb: *x\n", "uses a YAML alias"),
        ("", "study: the top level is wrong"),
        ("just text", "study: the top level is wrong"),
        ("a: \x00", "This is no YAML"),
        ("? [a, b]\n: 1", "This is no YAML"),
    ],
)
def test_what_is_no_study_file_is_said_to_be_none(text: str, sentence: str) -> None:
    assert sentence in str(error_of(text))
