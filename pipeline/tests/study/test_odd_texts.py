"""Study files whose texts are not what they seem: cut off, invisible, with odd letters, or numbers in odd spellings."""

import pytest

from eyelevel.study.clips_of_batch import Batch
from eyelevel_core.contracts.check import schema

from .good_study import Edit, faults

NAMED = (
    "text of at most 64 characters (A-Z, a-z, digits and . _ + -) that begins with a letter or digit, such as name-1"
)
FIELDS = ", ".join(schema("study.1")["properties"])
COMMENT = "If it is a comment, write two spaces before # and one after it."

# by name: what is replaced by what, and the sentences that follow
WRONG: dict[str, tuple[list[Edit], list[str]]] = {
    "texts that are cut off by a comment": (
        [("I take part voluntarily.}", "I take part #1\n  }"), ("{en: at work}", "\n      en: #1")],
        [
            ', line 9, column 26: YAML reads "#1" as a comment, so it is lost; put the whole text in quotes: '
            f'en: "I take part #1". {COMMENT}',
            ', line 15, column 11: YAML reads "#1" as a comment, so it is lost; put the whole text in quotes: '
            f'en: "#1". {COMMENT}',
        ],
    ),
    "a comment that cuts off a bracket": (
        [("{en: at work}", "{en: at work #1}")],
        [
            ', line 13, column 25: YAML reads "#1}" as a comment, so the group opened with { is not closed; put the '
            "text that contains # in quotes."
        ],
    ),
    "numbers as they are written": (
        [
            ("seed: 1", "seed: 010"),
            ('"1"', "1.10"),
            ("[DSL, LTE]", "[1e5, 007]"),
            ("count: 4", "count: 4.50"),
            ("{en: at work}", "{en: +1}"),
            ("at: [20]", "at: [1e400]"),
        ],
        [
            ", line 3: seed is 010, but must be a whole number; write 10.",
            ', line 8: consent.version is 1.10, but must be text; put it in quotes: "1.10".',
            ', line 13: contexts[0].label.en is +1, but must be text; put it in quotes: "+1".',
            f', line 14: contexts[0].networks[0] is 1e5, but must be {NAMED}; put it in quotes: "1e5".',
            f', line 14: contexts[0].networks[1] is 007, but must be {NAMED}; put it in quotes: "007".',
            ", line 17: trials[0].count is 4.50, but must be a whole number from 1 to 200.",
            ", line 37: plan.looks.at[0] is 1e400, but must be a finite number.",
        ],
    ),
    "a kind with a letter of another script": (
        [("kind: rate", "kind: r\u0430te")],
        [
            ', line 16: trials[0].kind is "r\u0430te", which contains \u0430 (CYRILLIC SMALL LETTER A, U+0430), but '
            "must be one of compare, rate, slider. Did you mean rate?"
        ],
    ),
    "texts that show nothing, or another order": (
        [
            ("{en: at work}", '{en: "\u200b"}'),
            ("me@example.org", '"   "'),
            ("QUIC is better.", "QUIC \u202eis better."),
        ],
        [
            ", line 6: contact shows nothing, as it is only white space; write the text.",
            ", line 13: contexts[0].label.en shows nothing, as it is only a ZERO WIDTH SPACE (U+200B); write the text.",
            ", line 31: plan.hypotheses[0].says contains a RIGHT-TO-LEFT OVERRIDE (U+202E), which reorders the visible "
            "text; delete it.",
        ],
    ),
    "a number as a name below a number": (
        [("seed: 1", "seed: 1\n7: x")],
        [f", line 4: 7 is not a known field. The fields here are {FIELDS}."],
    ),
    "a field without a name": (
        [("    networks: [DSL", '    "": x\n    networks: [DSL')],
        [', line 14: contexts[0]."" is not a known field. The fields here are key, label, networks.'],
    ),
    "brackets of another script": (
        [("[DSL, LTE]", "\uff3bDSL, LTE\uff3d")],
        [
            ', line 14: contexts[0].networks is "\uff3bDSL, LTE\uff3d", which contains \uff3b (FULLWIDTH LEFT SQUARE '
            "BRACKET, U+FF3B), \uff3d (FULLWIDTH RIGHT SQUARE BRACKET, U+FF3D), but must be a list of at least 1 name; "
            "write [DSL, LTE]."
        ],
    ),
    "a text that begins with a bracket": (
        [("says: QUIC", "says: [sic] QUIC")],
        [
            ", line 31, column 19: the text goes on after the closing bracket; put it in quotes: "
            'says: "[sic] QUIC is better.".'
        ],
    ),
    "a bracket too many": (
        [("[DSL, LTE]", "[DSL, LTE]]")],
        [", line 14, column 25: the line has one ] more than it opens; delete it."],
    ),
    "a field twice in one line": (
        [("{en: at work}", "{en: at work, en: at home}")],
        [", line 13: en is written twice; keep one."],
    ),
    "a bullet": (
        [("  - kind: rate", "  \u2022 kind: rate")],
        [", line 16, column 3: the line begins with \u2022 (BULLET, U+2022) in place of -; write - and a space."],
    ),
    "a bullet before an only field": (
        [("  - key: paid\n    quota", "  \u2022 quota")],
        [", line 26, column 3: the line begins with \u2022 (BULLET, U+2022) in place of -; write - and a space."],
    ),
}
FOUR = "which contains \u0664 (ARABIC-INDIC DIGIT FOUR, U+0664), "


@pytest.mark.parametrize(
    ("written", "odd", "cure"),
    [
        ("\u0664", FOUR, "; write 4"),
        ("4O", "", "; write 40"),
        ("0x10", "", "; write 16"),
        ('"1,"', "", "; write 1"),
        ('"04"', "", "; write 4"),
        ("4%", "", "; write 4"),
        # larger than allowed, or no number
        ("1_000", "", ""),
        ("1:30", "", ""),
        ("yes", "", ""),
    ],
)
def test_a_whole_number_in_an_odd_spelling_has_its_cure(batch: Batch, written: str, odd: str, cure: str) -> None:
    (sentence,) = faults([("count: 4", f"count: {written}")], batch)
    text = written.strip('"')
    assert sentence == (
        f'study.yaml, line 17: trials[0].count is "{text}", {odd}but must be a whole number from 1 to 200{cure}.'
    )


@pytest.mark.parametrize("name", WRONG)
def test_an_odd_text_is_explained(batch: Batch, name: str) -> None:
    edits, sentences = WRONG[name]
    assert faults(edits, batch) == [f"study.yaml{sentence}" for sentence in sentences]


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ("pair: [TCP+, QUIC]", "pair: [TCP+, QUI\u0421]", "line 33: plan.hypotheses[0].pair[1]"),
        ("batch: small", "batch: sm\u0430ll", "line 10: batch"),
    ],
)
def test_a_letter_of_another_script_is_named_without_a_batch(old: str, new: str, place: str) -> None:
    (sentence,) = faults([(old, new)], None)
    meant = "small" if "batch" in old else "QUIC"
    assert f"study.yaml, {place} is " in sentence
    assert ", which contains " in sentence
    assert " (CYRILLIC " in sentence
    assert sentence.endswith(f"Did you mean {meant}?")
