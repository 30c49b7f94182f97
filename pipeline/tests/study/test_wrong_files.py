"""Wrong study files, each a few edits of a good one: every fault has a sentence with line, field, value and cure."""

import pytest

from eyelevel.study.clips_of_batch import Batch

from .good_study import GOOD, Edit, faults

NAME = (
    "may have only A-Z, a-z, digits and . _ + -, must begin with a letter or digit, and may have at most 64 characters."
)
STACKS = "but the stacks of the batch are QUIC, TCP+."
NETWORKS = "but the networks of the batch are DSL, LTE, MSS."
SPACE = "which YAML does not read as a space; replace it with a space."
SPACES = "which YAML does not read as spaces; replace each with a space."
GIVE = "but the selected sites, networks and stacks have only"
ONCE = "and a participant sees each once; write at most"
OPEN = 'the comma after "Say" ends the text, so'
QUOTE = "put it in quotes:"

# by name: what is replaced by what, and the sentences that follow
WRONG: dict[str, tuple[list[Edit], list[str]]] = {
    # names that the contract does not have
    "mistyped field": (
        [("trials:", "trails:")],
        [", line 15: trails is not a known field. Did you mean trials?"],
    ),
    "mistyped field of a block": (
        [("    count: 4", "    cuont: 4")],
        [", line 17: trials[0].cuont is not a known field. Did you mean count?"],
    ),
    "mistyped kind": (
        [("kind: rate", "kind: rat")],
        [', line 16: trials[0].kind is "rat", but must be one of compare, rate, slider. Did you mean rate?'],
    ),
    "faults of every stage": (
        [("trials:", "trails:"), ("count: 4", "count: four"), ("[DSL, LTE]", "[DSL, LET]"), ("[20]", "[50]")],
        [
            f', line 14: contexts[0].networks[1] is "LET", {NETWORKS} Did you mean LTE?',
            ", line 15: trails is not a known field. Did you mean trials?",
            ', line 17: trials[0].count is "four", but must be a whole number from 1 to 200.',
            ", line 37: plan.looks.at[0] is 50, but must be below 40, because the quotas add up to 40 sessions and the "
            "final analysis is not a look; write at most 39 or delete looks.",
        ],
    ),
    # names that the batch or the study does not have
    "stack of a hypothesis": (
        [("pair: [TCP+, QUIC]", "pair: [TCP+, QIUC]")],
        [f', line 33: plan.hypotheses[0].pair[1] is "QIUC", {STACKS} Did you mean QUIC?'],
    ),
    "stack with a letter of another script": (
        [("pair: [TCP+, QUIC]", "pair: [TCP+, QUI\u0421]")],
        [
            f', line 33: plan.hypotheses[0].pair[1] is "QUI\u0421", {STACKS} It contains \u0421 '
            "(CYRILLIC CAPITAL LETTER ES, U+0421). Did you mean QUIC?"
        ],
    ),
    "stack of a block": (
        [("stacks: [TCP+, QUIC]", "stacks: [TCP+, QIUC]")],
        [f', line 20: trials[0].stacks[1] is "QIUC", {STACKS} Did you mean QUIC?'],
    ),
    "stack of a pair": (
        [("[[TCP+, QUIC]]", "[[TCP, QUIC]]")],
        [f', line 24: trials[1].pairs[0][0] is "TCP", {STACKS} Did you mean TCP+?'],
    ),
    "site": (
        [("[alpha, beta]", "[alhpa, beta]")],
        [', line 19: trials[0].sites[0] is "alhpa", but the sites of the batch are alpha, beta. Did you mean alpha?'],
    ),
    "site for training": (
        [("groups:", "training_site: betta\ngroups:")],
        [', line 25: training_site is "betta", but the sites of the batch are alpha, beta. Did you mean beta?'],
    ),
    "network before the count that it causes": (
        [("[DSL, LTE]", "[DSL, 5G]"), ("count: 4", "count: 8")],
        [f', line 14: contexts[0].networks[1] is "5G", {NETWORKS}'],
    ),
    "network of a hypothesis": (
        [("over: [DSL]", "over: [DLS]")],
        [f', line 35: plan.hypotheses[0].over[0] is "DLS", {NETWORKS} Did you mean DSL?'],
    ),
    "context": (
        [("    count: 4", "    count: 4\n    contexts: [wrok]")],
        [', line 18: trials[0].contexts[0] is "wrok", but the study\'s only context is work. Did you mean work?'],
    ),
    "metric": (
        [
            (
                "kind: rate\n      pair: [TCP+, QUIC]\n      networks: each\n      over: [DSL]\n      expects: higher",
                "kind: metrics\n      metric: S1",
            )
        ],
        [
            ', line 33: plan.hypotheses[0].metric is "S1", but the metrics are FVC, SI, VC85, LVC, PLT, FCP, LCP, CLS, '
            "CLS sum, TBT, TTI, DCL, TTFB. Did you mean SI?"
        ],
    ),
    "more than the batch has, in two blocks": (
        [("count: 4", "count: 40"), ("count: 2", "count: 50")],
        [
            f", line 17: trials[0].count is 40, {GIVE} 8 different clips, {ONCE} 8, or add sites, networks or stacks.",
            f", line 22: trials[1].count is 50, {GIVE} 4 different pairs, {ONCE} 4, or add sites, networks or stacks.",
        ],
    ),
    # values
    "group's key": (
        [("key: paid", "key: Paid people")],
        [
            ', line 26: groups[0].key is "Paid people", but may have only lower-case letters, digits, _ and -, must '
            "begin with a letter, and may have at most 32 characters, such as paid-people."
        ],
    ),
    "network with a letter of another script": (
        [("[DSL, LTE]", "[D\u0405L, LTE]")],
        [
            ', line 14: contexts[0].networks[0] is "D\u0405L", which contains \u0405 (CYRILLIC CAPITAL LETTER DZE, '
            f"U+0405), but {NAME} Did you mean DSL?"
        ],
    ),
    "no list": (
        [("networks: [DSL, LTE]", "networks: DSL")],
        [', line 14: contexts[0].networks is "DSL", but must be a list of at least 1 name; write [DSL].'],
    ),
    "an empty list": (
        [("[DSL, LTE]", "[]")],
        [", line 14: contexts[0].networks is an empty list; write at least one of DSL, LTE, MSS."],
    ),
    "a number for a text": (
        [('version: "1"', "version: 1")],
        [', line 8: consent.version is 1, but must be text; put it in quotes: "1".'],
    ),
    "a text without language": (
        [("{en: How fast does a website feel?}", "How fast?")],
        [', line 5: title is "How fast?", but must be one text per language; write {en: How fast?}.'],
    ),
    "a text in one language only": (
        [("[en]", "[en, de]")],
        [
            f", line {line}: {field} has no text in de, but languages (line 4) lists de; add the text, or remove de "
            "there."
            for line, field in ((5, "title"), (9, "consent.text"), (13, "contexts[0].label"))
        ],
    ),
    "an unknown language": ([("[en]", "[en, fr]")], [', line 4: languages[1] is "fr", but must be one of en, de.']),
    "nothing": (
        [("me@example.org", "")],
        [", line 6: contact is empty; write how participants can reach you, such as me@example.org."],
    ),
    "a missing field": (
        [("    count: 4\n", "")],
        [", line 16: trials[0].count is missing; add it: a whole number from 1 to 200."],
    ),
    "a word that the contract does not have": (
        [("expects: higher", "expects: better")],
        [
            ', line 36: plan.hypotheses[0].expects is "better", but must be one of higher, lower, '
            "different, equivalent.",
        ],
    ),
    # YAML
    "tab": (
        [("  version", "\tversion")],
        [", line 8, column 1: the line is indented with a tab, but YAML needs spaces; replace each tab with spaces."],
    ),
    "colon in a text": (
        [("{en: How fast does", "\n  en: Speed: how fast does"), ("feel?}", "feel?")],
        [f', line 6, column 12: the text has a colon; {QUOTE} en: "Speed: how fast does a website feel?".'],
    ),
    "colon in a text in braces": (
        [("{en: How", "{en: Speed: how")],
        [f', line 5, column 18: the text has a colon; {QUOTE} {{en: "Speed: how fast does a website feel?"}}.'],
    ),
    "comma in a text in braces": (
        [("{en: How", "{en: Say, how")],
        [
            f', line 5: title: {OPEN} "how fast does a website feel?" is read as a field; put the whole text in '
            'quotes: {en: "Say, how fast does a website feel?"}.'
        ],
    ),
    "a dash that is none": (
        [("  - kind: rate", "  \u2013 kind: rate")],
        [", line 16, column 3: the line begins with \u2013 (EN DASH, U+2013) in place of -; write - and a space."],
    ),
    "a number in quotes": (
        [("count: 4", 'count: "4"')],
        [', line 17: trials[0].count is "4", but must be a whole number from 1 to 200; write 4 without quotes.'],
    ),
    "an empty file": (
        [(GOOD, "# soon\n")],
        [": the file holds no study; write one, as docs/guides/write-a-study.md shows."],
    ),
    "no-break spaces as indentation": (
        [("  version", "\u00a0 version"), ("  text", "\u00a0 text")],
        [f", line {line}, column 1: the line is indented with a NO-BREAK SPACE (U+00A0), {SPACE}" for line in (8, 9)],
    ),
    "en spaces as indentation": (
        [("    count: 4", "\u2002\u2002\u2002\u2002count: 4")],
        [f", line 17, column 1: the line is indented with EN SPACE characters (U+2002), {SPACES}"],
    ),
    "no-break space after a colon": (
        [("count: 4", "count:\u00a04")],
        [f", line 17, column 11: the line has a NO-BREAK SPACE (U+00A0), {SPACE}"],
    ),
    "no-break space in a list": (
        [("[DSL, LTE]", "[DSL,\u00a0LTE]")],
        [
            ', line 14: contexts[0].networks[1] is "\u00a0LTE", which contains a NO-BREAK SPACE (U+00A0), but '
            f"{NAME} Did you mean LTE?"
        ],
    ),
    "zero-width space in a field's name": (
        [("seed", "se\u200bed")],
        [", line 3, column 3: the line has a ZERO WIDTH SPACE (U+200B), which cannot be seen; delete it."],
    ),
    "fullwidth colon": (
        [("seed: 1", "seed\uff1a 1")],
        [", line 3, column 5: the line has \uff1a (FULLWIDTH COLON, U+FF1A) in place of a colon; write : and a space."],
    ),
    "a field twice": (
        [("seed: 1", "seed: 1\nseed: 2")],
        [", line 4: seed is written twice, first on line 3; keep one."],
    ),
    "an open bracket": (
        [("[DSL, LTE]", "[DSL, LTE")],
        [
            ", line 14, column 15: the list opened here with [ is not closed; write ] at its end, or the comma missing "
            "between two entries."
        ],
    ),
    "an open quote": (
        [('"1"', '"1')],
        [", line 8, column 12: the line opens a quote that is not closed; add the closing quote."],
    ),
    "text after a quote": (
        [("says: QUIC is", "says: 'QUIC' is")],
        [
            ", line 31, column 20: the text goes on after the closing quote; put double quotes around the whole text: "
            "\"'QUIC' is better.\"."
        ],
    ),
    "wrong indentation": (
        [("    networks: [DSL", "   networks: [DSL")],
        [", line 14, column 4: the line begins with 3 spaces, but the lines beside it with 4; write 4."],
    ),
    "no space after a colon": (
        [("seed: 1", "seed:1")],
        [', line 3, column 5: the line has no space after the colon: "seed:1"; add a space.'],
    ),
    "a text that begins with a sign of YAML": (
        [("me@example.org", "@me")],
        [", line 6, column 10: the line has a text that begins with @; put the text in quotes."],
    ),
    "UTF-16": (
        [(GOOD, GOOD[:60].encode("utf-16-le").decode())],
        [": the file looks like UTF-16; save it as UTF-8."],
    ),
    # more of the same kinds
    "a name that nothing is like": (
        [("seed: 1", "seed: 1\nzzz: 1")],
        [
            ", line 4: zzz is not a known field. The fields here are contract, name, parent, seed, languages, title, "
            "contact, consent, instructions, batch, contexts, questions, trials, quota, ethics, retention, debriefing, "
            "pay, groups, max_clip_s, training_site, order, session, controls, conformance, plan."
        ],
    ),
    "looks without room": (
        [("sessions: 40", "sessions: 1"), ("[20]", "[1]")],
        [
            ", line 37: plan.looks.at[0] is 1, but must be below 1, because the quotas add up to 1 session and the "
            "final analysis is not a look; delete looks."
        ],
    ),
    "empty lists": (
        [("sites: [alpha, beta]", "sites: []"), ("pair: [TCP+, QUIC]", "pair: []"), ("[[TCP+, QUIC]]", "[]")],
        [
            ", line 19: trials[0].sites is an empty list; write at least one of alpha, beta.",
            ", line 24: trials[1].pairs is an empty list; write [[QUIC, TCP+]].",
            ", line 33: plan.hypotheses[0].pair is an empty list; write [QUIC, TCP+], in the order that you mean.",
        ],
    ),
    "an empty list of groups of fields": (
        [(GOOD[GOOD.index("  hypotheses:") : GOOD.index("  looks")], ""), ("[en]", "[]"), ("at: [20]", "at: []")],
        [
            ", line 4: languages is an empty list; write at least one of en, de.",
            ", line 29: plan.looks.at is an empty list; write at least one number.",
        ],
    ),
    "empty texts": (
        [("QUIC is better.", '""'), ('"1"', ""), ("{en: at work}", "{en: }"), ("kind: compare", "kind:")],
        [
            ', line 8: consent.version is empty; write the version of the consent text, such as "1".',
            ", line 13: contexts[0].label.en is empty; write the text in en.",
            ", line 21: trials[1].kind is empty; write one of compare, rate, slider.",
            ", line 31: plan.hypotheses[0].says is empty; write the hypothesis in words.",
        ],
    ),
    "keys": (
        [("key: work", "key: B\u00fcro 1"), ("key: H1", "key: 1."), ("name: first", "name: my study")],
        [
            f', line 2: name is "my study", but {NAME[:-1]}, such as my-study.',
            ', line 12: contexts[0].key is "B\u00fcro 1", which contains \u00fc (LATIN SMALL LETTER U WITH DIAERESIS, '
            "U+00FC), but may have only a-z, digits and -, must begin with a letter, and may have at most 32 "
            "characters, such as buero-1.",
            ", line 30: plan.hypotheses[0].key is 1., but must be text of at most 32 characters (A-Z, a-z, digits, _ "
            "and -) that begins with a letter, such as H1.",
        ],
    ),
    "texts for several languages": (
        [("[en]", "[de, en]"), ("{en: How fast does a website feel?}", "2026: how?")],
        [', line 5, column 12: the text has a colon; put it in quotes: title: "2026: how?".'],
    ),
    "a text for several languages": (
        [
            ("[en]", "[en, de]"),
            ("{en: How fast does a website feel?}", '"Why: how?"'),
            ("{en: at work}", "{en: a, de: b}"),
            ("{en: I take part voluntarily.}", "{en: a, de: b}"),
        ],
        [', line 5: title is "Why: how?", but must be one text per language; write {en: "Why: how?", de: ...}.'],
    ),
    "commas in braces": (
        [
            ("{en: How fast", "{en: Say, well, how fast"),
            ("{sessions: 40}", "{sessions: 40,5}"),
            ("    sites: [alpha, beta]", "    sites: [alpha, beta]\n    stakcs: x"),
        ],
        [
            f', line 5: title: {OPEN} "well" is read as a field; put the whole text in quotes: '
            '{en: "Say, well, how fast does a website feel?"}.',
            ", line 20: trials[0].stakcs is not a known field. The fields here are kind, count, sites, networks, "
            "contexts, clips, training, repeats, answer_from, stacks, min_scale, min_device_scale.",
            ', line 28: groups[0].quota: the comma after 40 ends the number, so "5" is read as a field; write a '
            "whole number: sessions: 40.",
        ],
    ),
    "a comma in a list without brackets": (
        [
            ("  - kind: compare\n    count: 2\n", "  - {kind: rate, sites: alpha, beta, count: 2}\n"),
            ("    training: 0\n    pairs: [[TCP+, QUIC]]\n", ""),
        ],
        [
            ', line 21: trials[1]: the comma after "alpha" ends the value, so "beta" is read as a field; write a list: '
            "sites: [alpha, beta]."
        ],
    ),
    "a missing comma in braces": (
        [("{en: at work}", "{en: at work de: bei}")],
        [
            ', line 13, column 27: the text has a colon; put it in quotes: {en: "at work de: bei"}, or write the comma '
            "missing before de."
        ],
    ),
    "an empty name": (
        [("stacks: [TCP+, QUIC]", 'stacks: [TCP+, ""]')],
        [", line 20: trials[0].stacks[1] is empty; write one of QUIC, TCP+."],
    ),
    "no space after a colon in braces": (
        [("{en: at work}", "{en:at work}")],
        [", line 13: contexts[0].label.en:at work is not a known field; write a space after the colon: en: at work."],
    ),
    "a colon in one of two texts": (
        [("{en: at work}", "{en: At: work, de: bei}")],
        [', line 13, column 19: the text has a colon; put it in quotes: en: "At: work".'],
    ),
    "text after a quote in braces": (
        [("{en: at work}", "{en: 'at' work}")],
        [
            ", line 13, column 22: the text goes on after the closing quote; put double quotes around the whole text: "
            "\"'at' work\"."
        ],
    ),
    "an open brace": (
        [("{en: at work}", "{en: at work")],
        [
            ", line 13, column 12: the group opened here with { is not closed; write } at its end, or the comma "
            "missing between two fields."
        ],
    ),
    "a line that is too deep": (
        [("    networks: [DSL", "     networks: [DSL")],
        [
            ", line 14, column 6: the line begins with 5 spaces, but the lines beside it with 4; write 4.",
        ],
    ),
    "a line below a text that is too deep": (
        [("      kind: rate", "       kind: rate")],
        [
            ", line 32: the line begins with 7 spaces, but the lines beside it with 6; write 6, or, if it continues a "
            "text with a colon, put the text in quotes."
        ],
    ),
    "an entry that is not deep enough": (
        [("  - kind: compare", " - kind: compare")],
        [", line 21, column 2: the line begins with 1 space, but the lines beside it with 2; write 2."],
    ),
    "two zero-width spaces": (
        [("seed", "s\u200bee\u200bd")],
        [", line 3, column 2: the line has ZERO WIDTH SPACE characters (U+200B), which cannot be seen; delete each."],
    ),
    "no text": ([(GOOD, "\n")], [": the file is empty; write a study, as docs/guides/write-a-study.md shows."]),
}


def test_the_good_study_is_right(batch: Batch) -> None:
    assert faults([], batch) == []


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_file_is_explained(batch: Batch, name: str) -> None:
    edits, sentences = WRONG[name]
    assert faults(edits, batch) == [f"study.yaml{sentence}" for sentence in sentences]
