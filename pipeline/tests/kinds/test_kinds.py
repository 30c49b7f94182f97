"""A trial kind takes its own answers and names what is wrong with others."""

import math
from typing import Any

import pytest

from eyelevel_kinds import KINDS, AnswerError


@pytest.mark.parametrize("score", range(1, 8))
def test_every_score_of_the_scale_is_stored_as_it_is(score: int) -> None:
    assert KINDS["rate"].validate({"score": score}) == {"score": score}


@pytest.mark.parametrize("score", [0, 8, 3.5, "4", True, None])
def test_a_score_off_the_scale_is_named(score: Any) -> None:
    with pytest.raises(AnswerError, match=r"score is .*, but must be a whole number from 1 to 7") as caught:
        KINDS["rate"].validate({"score": score})
    assert caught.value.field == "score"


@pytest.mark.parametrize("value", [0, 100, 33, 62.5])
def test_every_place_on_the_slider_is_stored_as_it_is(value: float) -> None:
    assert KINDS["slider"].validate({"value": value}) == {"value": value}


@pytest.mark.parametrize("value", [-0.1, 100.5, math.nan, math.inf, "50", True, None])
def test_a_place_off_the_slider_is_named(value: Any) -> None:
    with pytest.raises(AnswerError, match=r"value is .*, but must be a number from 0 to 100") as caught:
        KINDS["slider"].validate({"value": value})
    assert caught.value.field == "value"


def test_an_unknown_field_is_named() -> None:
    with pytest.raises(AnswerError, match="mood is not a field of this answer") as caught:
        KINDS["rate"].validate({"score": 3, "mood": "good"})
    assert caught.value.field == "mood"


@pytest.mark.parametrize("choice", ["left", "right", "none"])
def test_every_choice_of_a_comparison_is_taken(choice: str) -> None:
    assert KINDS["compare"].validate({"choice": choice, "sureness": 5}) == {"choice": choice, "sureness": 5}


@pytest.mark.parametrize(
    ("data", "field"), [({"choice": "up", "sureness": 1}, "choice"), ({"choice": "left"}, "sureness"), ({}, "choice")]
)
def test_a_wrong_comparison_names_its_field(data: dict[str, Any], field: str) -> None:
    with pytest.raises(AnswerError) as caught:
        KINDS["compare"].validate(data)
    assert caught.value.field == field


def test_a_pair_is_chosen_in_both_orders() -> None:
    block = {"pairs": [["TCP+", "QUIC"]]}
    chosen = [
        KINDS["compare"].chooses(block, stacks) for stacks in (("TCP+", "QUIC"), ("QUIC", "TCP+"), ("TCP", "QUIC"))
    ]
    assert chosen == [True, True, False]


def test_a_block_without_stacks_takes_all() -> None:
    assert KINDS["rate"].chooses({}, ["TCP"])
    assert not KINDS["rate"].chooses({"stacks": ["QUIC"]}, ["TCP"])
    assert [KINDS["slider"].chooses({"stacks": ["QUIC"]}, [stack]) for stack in ("QUIC", "TCP")] == [True, False]


@pytest.mark.parametrize("name", list(KINDS))
def test_every_text_is_there_in_both_languages(name: str) -> None:
    params: Any = KINDS[name].params(KINDS[name].defaults())
    texts = [params["question"], *params.get("labels", []), *params.get("sureness_labels", [])]
    assert [sorted(text) for text in texts] == [["de", "en"]] * len(texts)
    assert len(texts) == {"rate": 8, "compare": 6, "slider": 8}[name]
