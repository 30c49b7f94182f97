"""The words of figures exist in both languages, and numbers are those of the language."""

from string import Formatter

import pytest

from eyelevel_figures.numbers import decimal, level, percent, plain, signed
from eyelevel_figures.words import TEXTS, Words
from eyelevel_stats.conformance import RULES
from eyelevel_stats.hypotheses.verdict import Verdict


@pytest.mark.parametrize("key", TEXTS)
def test_a_text_says_in_german_what_it_says_in_english_of_the_same_values(key: str) -> None:
    english, german = TEXTS[key]
    assert english.strip()
    assert german.strip()
    names = [{name for _, name, *_ in Formatter().parse(text) if name is not None} for text in (english, german)]
    assert names[0] == names[1]


def test_every_verdict_and_every_rule_has_words() -> None:
    assert [f"verdict.{verdict}" for verdict in Verdict if f"verdict.{verdict}" not in TEXTS] == []
    assert [f"rule.{rule}" for rule in RULES if f"rule.{rule}" not in TEXTS] == []


def test_an_unknown_key_is_an_error_but_a_key_of_data_has_its_own_words() -> None:
    with pytest.raises(KeyError):
        Words()("no such key")
    assert Words().known("otherwise.moon", "moon") == "moon"
    assert Words("de").known("otherwise.restarted", "restarted") == "neu begonnen"


def test_a_star_says_that_the_best_metric_is_among_those_with_one() -> None:
    assert "with 95 % confidence, the best is among them" in Words()("leaders.how")
    assert "mit 95 % Konfidenz ist die beste darunter" in Words("de")("leaders.how")


def test_numbers_have_the_marks_of_the_language() -> None:
    assert [decimal(-1234.5, 2, language) for language in ("en", "de")] == ["−1,234.50", "−1.234,50"]
    assert (decimal(-0.001, 2, "en"), decimal(None, 2, "en")) == ("0.00", "–")
    assert [signed(value, 1, "en") for value in (0.25, -0.25, 0.01)] == ["+0.2", "−0.2", "0.0"]
    assert (percent(0.256, "de"), percent(None, "de")) == ("26\u00a0%", "–")
    assert (plain(0.5, "de"), plain(12_345, "en")) == ("0,5", "12,345")
    assert (level(0.95, "en"), level(0.99998, "de")) == ("95\u00a0%", "99,998\u00a0%")


def test_an_interval_has_a_semicolon_where_the_comma_is_decimal() -> None:
    assert Words("en").interval(4.2, 4.6) == "[4.20, 4.60]"
    assert Words("de").interval(4.2, 4.6) == "[4,20; 4,60]"
    assert Words("en").interval(None, 4.6) == ""
