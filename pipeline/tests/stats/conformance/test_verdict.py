"""Both verdicts: accepted, which is to be paid, and used, which is to be analysed."""

from dataclasses import replace
from datetime import timedelta

import pytest

from eyelevel_stats.conformance import RULES, Evidence, Trial, judge, rules_of

from .people import DESIGN, NOON, after, control, design, person, play, question, spell, trial

PLANTED: dict[str, Evidence] = {
    "R1": person(trial(plays=(play(complete=False),))),
    "R2": person(trial(plays=(play(stalls=(spell(600),)),))),
    "R3": person(trial(away=(spell(12_300),))),
    "R4": person(trial(answer_from="start", media_ms=200.0, answered_at=NOON + timedelta(seconds=1))),
    "R5": person(completed_at=NOON + timedelta(minutes=91)),
    "R6": person(trial(2), control(1, {"score": 7}, 6000.0)),
    "R7": person(questions=(question("blue"),)),
    "R8": person(trial(plays=(play(scale=0.4),))),
    "R9": person(trial(clip_sent_at=after(3))),
}
UNPAID = {"R1", "R6", "R9"}


def test_who_does_everything_right_is_accepted_and_used() -> None:
    verdict = judge(person(), rules_of(DESIGN))
    assert (verdict.accepted, verdict.used, verdict.left_out_by) == (True, True, ())
    assert [(finding.rule, finding.broken) for finding in verdict.findings] == [(rule, "no") for rule in RULES]


@pytest.mark.parametrize("rule", RULES)
def test_each_planted_participant_breaks_the_one_rule_and_no_other(rule: str) -> None:
    verdict = judge(PLANTED[rule], rules_of(DESIGN))
    assert [finding.rule for finding in verdict.findings if finding.broken == "yes"] == [rule]
    assert (verdict.accepted, verdict.used, verdict.left_out_by) == (rule not in UNPAID, False, (rule,))


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("use", [True, False])
@pytest.mark.parametrize("pay", [True, False])
def test_what_follows_from_a_broken_rule_is_the_studys_choice(rule: str, use: bool, pay: bool) -> None:
    verdict = judge(PLANTED[rule], rules_of(design(rule, use=use, pay=pay)))
    assert (verdict.used, verdict.accepted) == (not use, pay)


def test_several_rules_are_all_named() -> None:
    both = person(trial(plays=(play(complete=False),)), questions=(question("blue"),))
    assert judge(both, rules_of(DESIGN)).left_out_by == ("R1", "R7")


def test_what_is_unknown_is_held_against_nobody() -> None:
    nothing = play(complete=None, media_ms=None, stalls=None, away=None, scale=None, device_scale=None)
    old: Trial = trial(plays=(nothing,), media_ms=None, away=None, first_changes_ms=(None,), clip_sent_at=None)
    verdict = judge(person(old, questions=(question(None),)), rules_of(DESIGN))
    assert {finding.rule for finding in verdict.findings if finding.broken == "unknown"} == set(RULES) - {"R5", "R6"}
    assert (verdict.accepted, verdict.used) == (True, True)


def test_who_did_not_finish_is_neither_accepted_nor_used() -> None:
    verdict = judge(person(completed_at=None), rules_of(DESIGN))
    assert (verdict.accepted, verdict.used, verdict.left_out_by) == (False, False, ())


def test_votes_without_any_play_are_neither_paid_nor_used() -> None:
    verdict = judge(person(trial(1, plays=()), trial(2, plays=())), rules_of(DESIGN))
    assert (verdict.accepted, verdict.used, verdict.left_out_by) == (False, False, ("R1",))
    # the others know nothing without a play
    assert {finding.rule for finding in verdict.findings if finding.broken == "unknown"} == {"R2", "R3", "R8"}
    # plays of a session that goes on may be on their way
    verdict = judge(person(trial(1, plays=()), completed_at=None), rules_of(DESIGN))
    assert (verdict.left_out_by, verdict.findings[0].broken) == ((), "unknown")


def test_who_has_rated_nothing_of_the_study_is_neither_accepted_nor_used() -> None:
    for evidence in (person(control(1, {"score": 1}, 6000.0)), replace(person(), trials=())):
        verdict = judge(evidence, rules_of(DESIGN))
        assert (verdict.accepted, verdict.used, verdict.left_out_by) == (False, False, ("nothing_rated",))


@pytest.mark.parametrize(("unplayable", "counts"), [(0, True), (2, True), (3, False)])
def test_who_could_see_too_few_videos_is_neither_accepted_nor_used(unplayable: int, counts: bool) -> None:
    verdict = judge(replace(person(), planned=10, unplayable=unplayable), rules_of(DESIGN))
    assert (verdict.accepted, verdict.used) == (counts, counts)
    assert verdict.left_out_by == (() if counts else ("not_shown",))


def test_rules_of_another_version_are_refused() -> None:
    later = replace(DESIGN, conformance=replace(DESIGN.conformance, version=4))
    with pytest.raises(ValueError, match=r"conformance\.version is 4, but only version 3 is known; update Eyelevel\."):
        rules_of(later)
