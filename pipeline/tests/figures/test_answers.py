"""Figures of effects, pairs, groups, screening and the multiverse."""

import re
from dataclasses import replace
from json import loads
from string import Formatter

import pytest

from eyelevel_figures import effects, funnel, groups, multiverse, pairs
from eyelevel_figures.figure import NARROW, WIDE, Figure, Look
from eyelevel_figures.numbers import Language
from eyelevel_figures.palette import BAND
from eyelevel_figures.text import width_of
from eyelevel_figures.words import Words
from eyelevel_stats.conformance import Step
from eyelevel_stats.reasons import SENTENCES, Reason
from eyelevel_stats.rows.hypotheses import EffectRow

from .made import CELLS, DE, EN, FUNNEL, PHONE, SUMMARY, all_of, effect, pair, tables, texts, tooltips


def drawn(*rows: EffectRow) -> Figure:
    return effects.draw(rows, "rate", EN)


def test_an_effect_has_both_intervals_over_the_band_of_its_margin_and_its_verdict() -> None:
    figure = drawn(effect(estimate=0.0, ci_low=-0.25, ci_high=0.25, inner_low=-0.2, inner_high=0.2))
    band = next(rect for rect in all_of(figure, "rect") if rect.get("fill") == BAND)
    inner, outer = sorted(
        float(line.get("x2", 0)) - float(line.get("x1", 0))
        for line in all_of(figure, "line")
        if line.get("y1") == line.get("y2")
    )
    assert outer / float(band.get("width", 0)) == pytest.approx(0.5 / 1.0, abs=1e-3)
    assert inner / outer == pytest.approx(0.4 / 0.5, abs=1e-3)
    assert "different, but smaller than" in texts(figure)


def test_effects_of_another_kind_have_a_figure_of_their_own_in_percentage_points() -> None:
    rows = [effect(), effect(hypothesis="H2", kind="compare", estimate=0.12, ci_low=0.02, ci_high=0.22)]
    assert "H2" not in drawn(*rows).svg
    choices = effects.draw(rows, "compare", EN)
    assert "H2, DSL: TCP+ → QUIC +12 [+2, +22] (95\u00a0%)" in choices.alternative
    assert "difference of shares, in percentage points" in texts(choices)


def test_levels_near_1_are_not_printed_as_100_percent() -> None:
    figure = drawn(effect(level=0.99998, inner_level=0.99996))
    assert "(99.998\u00a0%)" in figure.alternative
    assert any(text.startswith("Thin line: 99.998 % interval") for text in texts(figure))
    assert {column.name: column.digits for column in figure.table.columns}["level"] == 5
    usual = drawn(effect()).table.columns
    assert {column.name: column.digits for column in usual}["level"] == 3


def test_an_interval_much_longer_than_effects_and_margins_is_cut_and_the_figure_says_so() -> None:
    figure = drawn(effect(), effect(network="LTE", ci_low=-3.0, ci_high=3.6))
    assert sum("data-cut" in path.attrib for path in all_of(figure, "path")) == 2
    assert "The axis is cut" in figure.alternative
    assert "The axis is cut" not in drawn(effect()).alternative


def test_an_effect_without_interval_is_named() -> None:
    none = dict.fromkeys(("ci_low", "ci_high", "inner_low", "inner_high"))
    assert "Too few participants for an interval" in drawn(effect(**none)).alternative


def test_a_german_interval_of_an_effect_has_a_semicolon() -> None:
    row = effect(estimate=0.0, ci_low=-0.25, ci_high=0.25)
    assert "[−0,25; +0,25]" in effects.draw([row], "rate", DE).alternative
    assert "[−0.25, +0.25]" in effects.draw([row], "rate", EN).alternative


def test_hypotheses_without_margin_have_no_band() -> None:
    figure = drawn(effect(margin=None))
    assert [rect for rect in all_of(figure, "rect") if rect.get("fill") == BAND] == []
    assert "H1: TCP+ → QUIC" in texts(figure)


def test_a_row_states_its_margin_in_other_units_its_smallest_margin_and_what_the_plan_could_find() -> None:
    figure = drawn(effect())
    said = (
        "H1, DSL: TCP+ → QUIC +0.30 [+0.10, +0.50] (95\u00a0%), [+0.15, +0.45] (90\u00a0%), different, but smaller "
        "than the margin (n = 20); margin = 0.40 SD = 12\u00a0% of SI; equivalent for a margin of 0.45 or more; "
        "smallest detectable difference: 0.30."
    )
    assert figure.alternative == said
    words = " ".join(texts(figure))
    assert "H1: TCP+ → QUIC (margin ±0.50)" in words
    assert "margin = 0.40 SD = 12 % of SI equivalent for a margin of 0.45 or more; smallest detectable" in words
    assert "Thin line: 95 % interval, for a difference; thick line: 90 % interval" in words


def test_what_is_unknown_of_a_row_is_left_out_and_the_reason_is_in_the_table() -> None:
    few = Reason("few_clips_for_mapping", {"clips": 4, "sites": 2})
    unknown = {"margin_si": None, "margin_si_why": str(few), "margin_si_reason": few.as_json()}
    row = effect(margin_d=None, detectable=None, **unknown)
    figure = drawn(row)
    assert figure.alternative.endswith("(n = 20); equivalent for a margin of 0.45 or more.")
    names = [column.name for column in figure.table.columns]
    assert figure.table.rows[0][names.index("margin_si_why")] == str(few)
    german = effects.draw([row], "rate", DE).table.rows[0][names.index("margin_si_why")]
    assert german == "nötig sind mindestens 10 Clips von 5 Websites, es sind aber nur 4 Clips von 2 Websites"


def test_every_reason_has_german_words_with_all_its_values() -> None:
    for code, (sentence, _) in SENTENCES.items():
        names = [name for _, name, _, _ in Formatter().parse(sentence) if name]
        said = Words("de").reason(Reason(code, {name: 17.25 + place for place, name in enumerate(names)}))
        assert all(f"{17 + place},25" in said for place in range(len(names)))


def test_a_german_row_names_the_same_figures() -> None:
    said = effects.draw([effect()], "rate", DE).alternative
    assert said.endswith(
        "(n = 20); Schwelle = 0,40 SD = 12\u00a0% des SI; gleichwertig ab einer Schwelle von 0,45; "
        "kleinster nachweisbarer Unterschied: 0,30."
    )


def test_shares_of_a_pair_fill_the_bar_and_the_interval_is_that_of_the_first() -> None:
    figure = pairs.draw([pair()], EN)
    bars = all_of(figure, "rect")[1:]
    widths = [float(bar.get("width", 0)) for bar in bars]
    whole, begin = sum(widths), float(bars[0].get("x", 0))
    assert [float(bar.get("x", 0)) - begin for bar in bars] == pytest.approx([0, 0.5 * whole, 0.8 * whole], abs=0.02)
    assert [width / whole for width in widths] == pytest.approx([0.5, 0.3, 0.2], abs=1e-3)
    interval = next(line for line in all_of(figure, "line") if line.get("stroke") == "#ffffff")
    assert (float(interval.get("x2", 0)) - float(interval.get("x1", 0))) / whole == pytest.approx(0.52, abs=1e-3)
    assert (
        figure.alternative
        == "garden, work: QUIC 50\u00a0% [24\u00a0%, 76\u00a0%], no difference 30\u00a0%, TCP+ 20\u00a0%, n = 10."
    )


def test_a_bar_of_a_pair_is_a_button_that_names_its_condition_whichever_stack_is_left() -> None:
    [bar] = [
        group for group in all_of(pairs.draw([pair(stack_a="TCP+", stack_b="QUIC")], EN), "g") if group.get("role")
    ]
    assert loads(bar.get("data-condition", "")) == {
        "site": "garden", "network": "DSL", "stacks": ["QUIC", "TCP+"], "context": "work",
    }  # fmt: skip


def test_bars_of_the_funnel_are_as_long_as_their_counts_from_one_zero() -> None:
    figure = funnel.draw(FUNNEL, EN, name="Crowd", asked={"R1", "R2", "R6", "R8"}, excludes={"R8": False})
    bars = all_of(figure, "rect")[1:]
    assert len({bar.get("x") for bar in bars}) == 1
    counts = [20, 10, 9, 5, 5, 5, 4, 8]
    assert [float(bar.get("width", 0)) for bar in bars] == pytest.approx(
        [302 * count / 20 for count in counts], abs=0.01
    )
    assert "R8: videos shown large enough (excludes nobody)" in texts(figure)
    assert [row[0] for row in figure.table.rows] == ["started", "completed", "R1", "R2", "R6", "R8", "used", "accepted"]


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_longest_words_of_the_funnel_end_before_their_bar_and_on_a_phone_inside_the_figure(
    language: Language,
) -> None:
    group = replace(FUNNEL, steps=(Step("R7", 1, 0, 9),))

    def drawn(width: float) -> Figure:
        return funnel.draw(group, Look(Words(language), width), name="Crowd", asked={"R7"}, excludes={"R7": False})

    wide, narrow = drawn(WIDE), drawn(NARROW)
    words = max((text for text in texts(wide) if text.startswith("R7")), key=len)
    assert width_of(words) <= min(float(rect.get("x", 0)) for rect in all_of(wide, "rect")[1:])
    assert " ".join(text for text in texts(narrow) if text in words) == words
    assert all(width_of(text) <= NARROW for text in texts(narrow) if text in words)


def test_the_funnel_says_how_many_each_rule_excludes_and_those_who_wait_are_excluded_by_none() -> None:
    figure = funnel.draw(FUNNEL, EN, name="Crowd", asked={"R1", "R2", "R6", "R8"}, excludes={})
    counts = [text for text in texts(figure) if text[0].isdigit()]
    assert counts == ["20", "10 (−10)", "9", "5 (−4)", "5", "5", "4", "8"]


def test_a_rule_that_the_study_does_not_ask_has_words_instead_of_a_bar_unless_somebody_broke_it() -> None:
    figure = funnel.draw(FUNNEL, EN, name="Crowd", asked=(), excludes={})
    # R6 alone was broken by nobody
    assert len(all_of(figure, "rect")[1:]) == 7
    assert texts(figure).count("not asked") == 1


def test_the_funnel_says_who_waits_and_who_is_not_used_though_no_rule_excludes_them() -> None:
    notes = funnel.draw(FUNNEL, EN, name="Crowd", asked=(), excludes={}).alternative
    assert "Completed, but not screened yet: 1." in notes
    assert "Not used although no rule excludes them: over quota: 1." in notes
    assert "Participants who skipped videos because their window was too small: 2." in notes


@pytest.mark.parametrize(
    ("look", "words"), [(EN, "R2: no stall over 0.5 s"), (DE, "R2: keine Unterbrechung über 0,5 s")]
)
def test_rule_2_states_the_longest_stall_that_it_allows(look: Look, words: str) -> None:
    figure = funnel.draw(FUNNEL, look, name="Crowd", asked={"R2"}, excludes={}, stall_ms=500.0)
    assert words in texts(figure)
    assert "R2: no long stall" in texts(funnel.draw(FUNNEL, EN, name="Crowd", asked={"R2"}, excludes={}))


def test_the_funnel_counts_sessions_and_a_bar_of_a_pair_names_the_stack_at_each_end() -> None:
    figure = funnel.draw(FUNNEL, EN, name="Crowd", asked=(), excludes={})
    assert figure.how_to_read.startswith("Each bar is the number of sessions that remain after a rule")
    said = pairs.draw([pair()], EN).how_to_read
    assert "From its left end: QUIC faster" in said
    assert "up to its right end: TCP+ faster" in said


def test_on_a_phone_words_of_the_funnel_stand_above_their_bars() -> None:
    figure = funnel.draw(FUNNEL, PHONE, name="Crowd", asked={"R1", "R2", "R6", "R8"}, excludes={})
    first = all_of(figure, "rect")[1]
    words = next(text for text in all_of(figure, "text") if text.text == "started")
    assert first.get("x") == "0"
    assert float(words.get("y", 0)) < float(first.get("y", 0))


def test_groups_have_a_mark_each_and_the_offset_in_words() -> None:
    rows = tables()
    figure = groups.draw(rows["group-mos"], rows["group-offsets"], EN, names={"crowd": "Crowd"})
    assert [tip for tip in tooltips(figure) if "TCP+" in tip] == [
        "Crowd, DSL, TCP+: 4.50 [4.00, 5.00], n = 9",
        "lab, DSL, TCP+: 4.50 [4.00, 5.00], n = 9",
    ]
    said = "lab minus Crowd: +0.25 points [0.05, 0.45] on 12 clips that both rated; correlation of their MOS 0.90."
    assert said in " ".join(texts(figure))
    assert figure.alternative.startswith(said)


def test_an_interval_of_a_group_that_ends_where_the_scale_does_has_an_arrow_and_the_figure_says_so() -> None:
    rows = [replace(row, ci_high=7.0) for row in tables()["group-mos"]]
    figure = groups.draw(rows, [], EN, names={})
    assert sum("data-cut" in path.attrib for path in all_of(figure, "path")) == 4
    assert "cut at the end of the scale" in figure.alternative
    assert "cut at" not in groups.draw(tables()["group-mos"], [], EN, names={}).alternative


def test_the_multiverse_sorts_its_estimates_and_marks_the_rules_of_each() -> None:
    figure = multiverse.draw(CELLS, SUMMARY, EN)
    paths = [path.get("d", "") for path in all_of(figure, "path")]
    [first, second] = [
        [tuple(map(float, pair)) for pair in re.findall(r"M ([\d.]+) ([\d.]+) h 3", path)]
        for path in paths
        if "h 3" in path
    ]
    # the same verdict as with the study's rules: -0.1 and 0.2, then the other one
    assert [x for x, _ in first] < [x for x, _ in second]
    assert first[0][1] > first[1][1] > second[0][1]
    ticks = [path.count("v 8") for path in paths if "v 8" in path]
    # R1 in two, R3 and the newer rules in one of the cells with an estimate
    assert ticks == [2, 1, 1]


def test_the_table_of_the_multiverse_has_the_verdict_of_each_row_and_marks_the_studys_own() -> None:
    table = multiverse.draw(CELLS, SUMMARY, EN).table
    names = [column.name for column in table.columns]
    rules, plan, verdict = names.index("rules"), names.index("plan"), names.index("verdict")
    assert [(row[rules], row[plan], row[verdict]) for row in table.rows] == [
        ("–", "no", "different"),
        ("R1", "yes", "undecided"),
        ("R1 R3 R8 R9", "no", "undecided"),
        ("R3 R8 R9", "no", None),
    ]
    german = multiverse.draw(CELLS, SUMMARY, DE).table
    assert [(row[plan], row[verdict]) for row in german.rows[:2]] == [
        ("nein", "verschieden"),
        ("ja", "nicht entschieden"),
    ]


def test_rules_of_the_study_that_are_no_combination_have_a_row_of_their_own() -> None:
    summary = replace(SUMMARY, plan_rules="R1 R8", plan_estimate=0.15, plan_verdict="undecided")
    assert multiverse.draw(CELLS, summary, EN).table.rows[-1] == ["R1 R8", "yes", None, 0.15, None, None, "undecided"]
    none = replace(SUMMARY, plan_rules="none")
    assert [row[:2] for row in multiverse.draw(CELLS, none, EN).table.rows] == [
        ["–", "yes"], ["R1", "no"], ["R1 R3 R8 R9", "no"], ["R3 R8 R9", "no"],
    ]  # fmt: skip


def test_the_multiverse_says_how_much_depends_on_the_rules_in_both_languages() -> None:
    said = multiverse.draw(CELLS, SUMMARY, EN).alternative
    assert said.endswith("the estimate ranges from −0.10 to +0.40; with the study's rules it is +0.20. "
                         "2 combinations give the same verdict.")  # fmt: skip
    assert "reicht der Schätzwert von −0,10 bis +0,40" in multiverse.draw(CELLS, SUMMARY, DE).alternative
