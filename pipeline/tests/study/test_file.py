"""Errors of a study file name its line, whether the contract or a later check finds them."""

import json

import pytest
import yaml

from eyelevel_core.study.file import StudyFile, read_study_file
from eyelevel_core.study.parse import StudyError, dotted

X = {"en": "x"}
DESIGN = {
    "contract": "eyelevel/study/1",
    "name": "pilot",
    "seed": 7,
    "languages": ["en"],
    "title": X,
    "consent": {"version": "1", "text": X},
    "contact": "study@example.org",
    "batch": "small",
    "contexts": [{"key": "work", "label": X, "networks": ["DSL", "LTE"]}],
    "questions": [{"key": "age", "label": X, "choices": [{"key": "young", "label": X}, {"key": "old", "label": X}]}],
    "trials": [{"kind": "rate", "count": 4}, {"kind": "compare", "count": 2}],
    "quota": {"sessions": 6},
}
# as people write it: without the aliases that YAML has for what comes twice
TEXT = yaml.safe_dump(json.loads(json.dumps(DESIGN)), sort_keys=False)


def read(text: str) -> StudyFile:
    return read_study_file(text, source="study")


def line_of(start: str) -> int:
    return next(number for number, line in enumerate(TEXT.splitlines(), start=1) if line.lstrip(" -").startswith(start))


def test_a_good_file_is_read() -> None:
    assert read(TEXT).written == DESIGN


def test_the_contracts_errors_have_line_and_field() -> None:
    with pytest.raises(StudyError) as caught:
        read(TEXT.replace("key: young", "key: Young!"))
    assert (caught.value.line, dotted(caught.value.where)) == (line_of("key: young"), "questions[0].choices[0].key")


def test_our_errors_have_the_line_of_the_nearest_field_that_is_written() -> None:
    file = read(TEXT)
    written = file.error("too many.", ("trials", 0, "count"))
    assert (str(written), written.line) == (f"study, line {line_of('count: 4')}: too many.", line_of("count: 4"))
    above = file.error("nothing.", ("trials", 1, "pairs", 0))
    assert above.line == line_of("kind: compare")
    assert file.error("all of it.").line == 1


@pytest.mark.parametrize(
    "text", ["a: [1", "", "just text", "a: &x 1\nb: *x\n", "? [a, b]\n: 1", "a: !!python/name:os.x 1"]
)
def test_what_is_no_study_file_is_said_to_be_none(text: str) -> None:
    with pytest.raises(StudyError, match=r"^study"):
        read(text)
