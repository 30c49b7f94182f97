"""Characters that look alike are named, and names that look alike are found."""

import pytest

from eyelevel_core.characters import difference, foreign, look_alikes, looks_like_utf16, plain, tidy, visible
from eyelevel_core.suggestions import closest, did_you_mean, these

TABLE = "participant,stimulus,score\nann,a,1\n"


@pytest.mark.parametrize(
    "text",
    [
        "a\u200bb",
        "\u200eab",
        "a\u00adb",
        "\ufeffab",
        " ab\u00a0",
        "\uff41b",
        "a\u2060b",
        "\u202aab\u202c",
        "a\ufe0fb",
        "a\u034fb",
    ],
)
def test_what_looks_the_same_is_the_same(text: str) -> None:
    assert visible(text) == "ab"


def test_a_letter_with_its_accent_apart_is_the_same_letter() -> None:
    assert visible("caf\u0065\u0301") == visible("caf\u00e9") == "caf\u00e9"
    assert visible("a b") != visible("ab")


def test_letters_of_other_scripts_are_named() -> None:
    assert plain("D\u0405L") == "DSL"
    assert foreign("DSL") == ""
    assert foreign("D\u0405L\u200b") == (
        " It contains \u0405 (CYRILLIC CAPITAL LETTER DZE, U+0405), a ZERO WIDTH SPACE (U+200B)."
    )
    assert foreign("\u03b1\u03b2\u03b3\u03b4\u03b5").endswith(" and 2 more.")


@pytest.mark.parametrize(
    ("name", "meant"), [("QIUC", "QUIC"), ("quic", "QUIC"), ("QUI\u0421", "QUIC"), ("HTTP", None), ("Q" * 1000, None)]
)
def test_the_nearest_name_is_suggested(name: str, meant: str | None) -> None:
    assert closest(name, ["TCP+", "QUIC"]) == meant
    assert did_you_mean(name, ["TCP+", "QUIC"]) == foreign(name) + ("" if meant is None else f" Did you mean {meant}?")


def test_one_name_is_the_only_one() -> None:
    assert these("contexts", ["work"], whose="the study's") == "the study's only context is work"
    assert these("sites", ["a", "b"], of="of the batch") == "the sites of the batch are a, b"
    assert these("stacks", ["a"], of="of the batch") == "the only stack of the batch is a"


def test_utf_16_is_told_from_utf_8_without_a_mark() -> None:
    found = {code: looks_like_utf16(TABLE.encode(code)) for code in ("utf-8", "utf-16-le", "utf-16-be", "utf-32-le")}
    assert found == {"utf-8": False, "utf-16-le": True, "utf-16-be": True, "utf-32-le": True}


def test_a_name_is_kept_as_it_is_written_but_for_what_cannot_be_seen() -> None:
    assert tidy(" ab ") == "ab"
    assert tidy("cafe\u0301\u200b ") == "caf\u00e9"


def test_what_differs_between_texts_that_look_the_same_is_named() -> None:
    assert difference("ab", "a\u200bb") == " (a ZERO WIDTH SPACE (U+200B))"
    assert difference("ab", "ab ") == " (with a space around it)"
    assert difference("a b", "a  b") == " (with several spaces)"
    assert difference("ab", "abc") == ""
    assert look_alikes("DSL", "D\u0405L") == " (\u0405 (CYRILLIC CAPITAL LETTER DZE, U+0405))"
