"""Errors of a study file name its line, whether the contract or a later check finds them."""

import json
import time

import pytest
import yaml

from eyelevel_core.contracts.sentences import dotted
from eyelevel_core.study.file import StudyFile, read_study_file
from eyelevel_core.study.parse import StudyError

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
def test_text_that_is_not_a_study_file_is_refused_as_such(text: str) -> None:
    with pytest.raises(StudyError, match=r"^study"):
        read(text)


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        (":".join(["1"] * 4000), 'seed is "1:1:1:'),
        ("0x" + "f" * 9000, 'seed is "0xff'),
        ("1_000", 'seed is "1_000", but must be a whole number from 0 to'),
        ("007", "seed is 007, but must be a whole number; write 7."),
        ("1" * 5000, "a number has 5000 characters, but at most 40 are read; shorten it."),
        ("0." + "1" * 100_000, "a number has 100002 characters, but at most 40 are read; shorten it."),
        ("1e999999", "seed is 1e999999, but must be a finite number."),
        ("2026-13-45", 'seed is "2026-13-45", but must be a whole number from 0 to'),
        ("!!bool maybe", "the line uses the tag !!bool; leave it out, or, if it begins a text, put"),
        ("!!int ''", "the line uses the tag !!int; leave it out, or, if it begins a text, put"),
        ("!!timestamp x", "the line uses the tag !!timestamp; leave it out, or, if it begins a text, put"),
        ("!own {a: 1}", "the line uses the tag !own; leave it out, or, if it begins a text, put"),
        ("7\n<<: {a: 1}", "<< is not a known field. The fields here are contract, name"),
        ("7\n? [a]\n: 1", "the name of a field is not a text; write one."),
    ],
    ids=lambda text: text[:12],
)
def test_values_are_those_of_json(written: str, sentence: str) -> None:
    with pytest.raises(StudyError, match=r"^study[,:]") as caught:
        read(TEXT.replace("seed: 7", f"seed: {written}"))
    assert sentence in str(caught.value)


def test_words_are_words() -> None:
    """YAML 1.1 takes Norwegian for false, and a version for a number or a day."""
    text = TEXT.replace("key: young", "key: no").replace("version: '1'", "version: 2026-11-01")
    study = read(text).written
    assert (study["questions"][0]["choices"][0]["key"], study["consent"]["version"]) == ("no", "2026-11-01")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("name: pilot", "name: " + ":".join(["1"] * 130_000)),
        ("languages:\n- en", "languages: [" + ",".join(f"{number}, a{number}" for number in range(15_000)) + "]"),
        ("trials:\n", "trials:\n" + "- {kind: rate}\n" * 8_000),
    ],
    ids=["base 60", "mixed", "blocks"],
)
def test_a_large_file_costs_little_more_than_its_text(old: str, new: str) -> None:
    """Against PyYAML's own parser in Python, which takes linear time for these: squares took over 50 times it."""
    text = TEXT.replace(old, new)
    begun = time.process_time()
    with pytest.raises(StudyError):
        read(text)
    read_in = time.process_time() - begun
    yaml.compose(text, Loader=yaml.SafeLoader)
    assert read_in < 5 * (time.process_time() - begun - read_in)
