"""Reasons are a code with values, and an English sentence."""

from string import Formatter
from typing import get_args

import pytest

from eyelevel_stats.reasons import SENTENCES, Code, Reason, reason_of, worded


def test_every_code_has_a_sentence() -> None:
    assert sorted(SENTENCES) == sorted(get_args(Code))


@pytest.mark.parametrize("code", get_args(Code))
def test_a_reason_survives_as_json_and_its_sentence_names_all_its_values(code: Code) -> None:
    names = [name for _, name, _, _ in Formatter().parse(SENTENCES[code][0]) if name]
    reason = Reason(code, {name: 17.25 + place for place, name in enumerate(names)})
    assert reason_of(reason.as_json()) == reason
    assert all(f"{value:.2f}" in str(reason) for value in reason.values.values())
    assert worded(reason) == str(reason)
    assert not str(reason).endswith(".")


def test_without_a_reason_there_is_no_sentence() -> None:
    assert worded(None) is None
