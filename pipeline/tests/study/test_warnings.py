"""Weaknesses of valid study files have warnings."""

import json
from dataclasses import replace
from typing import Any

import pytest
import yaml

from eyelevel.study.clips_of_batch import Batch
from eyelevel.study.forecast import forecast
from eyelevel.study.warnings import warnings_of
from eyelevel_core.assignment.selection import select_for
from eyelevel_core.study.file import read_study_file
from eyelevel_stats.planning import smallest_mos_difference, smallest_share

Study = dict[str, Any]
AGREES = {"key": "H1", "says": "x", "kind": "metrics", "metric": "SI"}
PAID = [{"key": "paid", "recruiter": {"name": "panel", "id_parameter": "PID"}}]


def warned(study: Study, batch: Batch | None = None) -> list[str]:
    file = read_study_file(yaml.safe_dump(json.loads(json.dumps(study))), source="study")
    selection = None if batch is None else select_for(file, batch.clips)
    design = file.design if selection is None else selection.design
    return list(warnings_of(file, design, forecast(design, None if selection is None else selection.chosen), batch))


def stated(rule: str) -> Study:
    return {rule: {"use": True}}


def about(found: list[str], start: str) -> list[str]:
    return [sentence for sentence in found if sentence.startswith(start)]


@pytest.fixture
def sound(small: Study) -> Study:
    """A study that nothing is to be said against."""
    question = {"key": "colour", "label": {"en": "x"}, "right": "red"}
    small |= {
        "ethics": {"board": "Board"},
        "retention": {"months": 12, "text": {"en": "x"}},
        "debriefing": {"en": "x"},
        "session": {"narrow_window": "refuse"},
        "plan": {"hypotheses": [AGREES], "model": "x", "exclusions": "x", "stopping": "x"},
        "controls": {
            "videos": {"count": 1},
            "questions": [question | {"choices": [{"key": key, "label": {"en": key}} for key in ("red", "blue")]}],
        },
    }
    small["contexts"][1]["networks"] = ["MSS", "DSL"]
    for block in small["trials"]:
        block["answer_from"] = "start"
    small["trials"][1]["identical"] = 0.15
    return small


def test_a_sound_study_is_not_warned(sound: Study) -> None:
    assert warned(sound) == []


@pytest.mark.parametrize(
    ("field", "sentence"),
    [
        ("ethics", "The study names no ethics board that approved it; add ethics unless no approval is needed."),
        (
            "retention",
            "The study does not tell participants how long their answers are kept; add retention.",
        ),
        ("debriefing", "The study does not tell participants at the end what it was about; add debriefing."),
        (
            "plan",
            "The study has no analysis plan; add hypotheses, exclusions and a stopping rule before the first vote.",
        ),
        (
            "controls",
            "The study has no control videos or questions, which detect inattentive participants; add controls unless "
            "that is intended.",
        ),
    ],
)
def test_what_people_expect_to_be_told_is_missed(sound: Study, field: str, sentence: str) -> None:
    del sound[field]
    assert warned(sound) == [sentence]


@pytest.mark.parametrize(
    ("change", "start"),
    [
        (lambda s: s["plan"].update(hypotheses=[]), "plan has no hypotheses"),
        (lambda s: s["plan"].pop("model"), "plan has no model"),
        (lambda s: s["plan"].pop("exclusions"), "plan has no exclusions"),
        (lambda s: s["plan"].pop("stopping"), "plan has no stopping rule"),
        (lambda s: s["trials"][1].update(identical=0), "trials[1].identical is 0"),
        (
            lambda s: s.update(session={}, pay={"amount": 5, "currency": "EUR", "fair_hourly": 12}, groups=PAID),
            "session.narrow_window is skip: a participant can skip",
        ),
        (lambda s: s["trials"][0].update(clips="medoid"), "trials[0].clips is medoid"),
        (
            lambda s: s.update(
                trials=[block | {"answer_from": "end"} for block in s["trials"]], conformance=stated("R4")
            ),
            "conformance.R4 excludes nobody, because every block has answer_from: end; set",
        ),
        (
            lambda s: s.update(controls={"questions": s["controls"]["questions"]}, conformance=stated("R6")),
            "conformance.R6 excludes nobody, because controls has no videos; add some",
        ),
        (
            lambda s: s.update(controls={"videos": s["controls"]["videos"]}, conformance=stated("R7")),
            "conformance.R7 excludes nobody, because controls has no questions; add some",
        ),
        (
            lambda s: s.update(conformance={"R6": {"wrong_at_most": 1}}),
            "conformance.R6.wrong_at_most accepts any number",
        ),
        (
            lambda s: s.update(conformance={"R7": {"wrong_at_most": 1}}),
            "conformance.R7.wrong_at_most accepts any number",
        ),
        (
            lambda s: s.update(session={"time_limit_minutes": 2, "resume_within_minutes": 2}),
            "session.time_limit_minutes is 2, but a session takes about 3",
        ),
        (
            lambda s: s["session"].update(time_limit_minutes=60, resume_within_minutes=61),
            "session.resume_within_minutes is 61, but session.time_limit_minutes is 60: participants who resume",
        ),
        (
            lambda s: s.update(pay={"amount": 0.5, "currency": "EUR", "fair_hourly": 12}, groups=PAID),
            "pay gives 10.00 EUR an hour, below the fair 12.00",
        ),
    ],
)
def test_each_weakness_has_its_sentence(sound: Study, change: Any, start: str) -> None:
    change(sound)
    found = warned(sound)
    assert (len(found), about(found, start)) == (1, found)


@pytest.mark.parametrize(
    "change",
    [
        lambda s: s["session"].update(time_limit_minutes=60, resume_within_minutes=60),
        lambda s: s["session"].update(resume="restart", resume_within_minutes=1440),
        lambda s: s.update(session=s["session"] | {"resume_within_minutes": 91}, conformance={"R5": {"use": False}}),
    ],
)
def test_coming_back_late_is_warned_of_only_where_it_leaves_people_out(sound: Study, change: Any) -> None:
    change(sound)
    assert warned(sound) == []


@pytest.mark.parametrize(
    ("kind", "margin", "finds"),
    [
        # 120 ratings on two stacks by 60 people
        ("rate", 0.61, "differences of 0.62 points"),
        ("rate", 0.63, None),
        # 51 answers that are not about identical pairs
        ("compare", 0.37, "differences of 0.38 between the shares"),
        ("compare", 0.39, None),
    ],
)
def test_a_margin_that_no_block_finds_is_warned(sound: Study, kind: str, margin: float, finds: str | None) -> None:
    assert smallest_mos_difference(60, sd=1.2, alpha=0.05, power=0.8) == pytest.approx(0.62, abs=0.005)
    assert smallest_share(51, alpha=0.05, power=0.8) == pytest.approx(0.69, abs=0.005)
    sound["plan"]["hypotheses"].append(about_stacks(kind, margin))
    at_best = f"plan.hypotheses[1].margin is {margin:g}, but all votes of a block together detect at best {finds}"
    assert warned(sound) == ([] if finds is None else [f"{at_best}; add participants, ask less, or raise the margin."])


def test_a_study_that_finds_nothing_is_told_so_of_its_margin(sound: Study) -> None:
    sound["quota"] = {"sessions": 1}
    sound["plan"]["hypotheses"] = [about_stacks("rate", 3)]
    (sentence,) = warned(sound)
    assert sentence.startswith(
        "plan.hypotheses[0].margin is 3, but all votes of a block together detect at best nothing"
    )


def about_stacks(kind: str, margin: float) -> dict[str, Any]:
    pair = {"pair": ["TCP+", "QUIC"], "networks": "pooled", "expects": "equivalent"}
    return {"key": "H2", "says": "x", "kind": kind, **pair, "margin": margin, "margin_reason": "x"}


def test_a_hypothesis_that_is_a_sentence_alone_is_warned_of(sound: Study) -> None:
    sound["plan"]["hypotheses"] = [{"key": "H7", "says": "QUIC is faster."}]
    (sentence,) = warned(sound)
    assert sentence.startswith("plan.hypotheses[0] (H7) is only a sentence, so the results cannot answer it; add kind")


@pytest.mark.parametrize("conformance", [{}, {rule: {"use": False} for rule in ("R4", "R6", "R7")}])
def test_rules_that_are_off_or_not_stated_ask_for_nothing(sound: Study, conformance: Study) -> None:
    sound["controls"] = {}
    for block in sound["trials"]:
        block["answer_from"] = "end"
    assert warned(sound | {"conformance": conformance}) == []


def test_a_rule_that_one_block_can_break_is_not_warned_of(sound: Study) -> None:
    sound["trials"][0]["answer_from"] = "end"
    assert warned(sound | {"conformance": stated("R4")}) == []


@pytest.mark.parametrize(
    ("networks", "alone"),
    [
        # one network that spans all
        ([["DSL", "LTE"], ["DSL", "LTE"], ["DA2GC", "MSS", "LTE"]], None),
        # one leads to the other by a third
        ([["DSL", "LTE"], ["LTE", "MSS"], ["MSS"]], None),
        # as it was in 2019
        ([["DSL", "LTE"], ["DSL", "LTE"], ["DA2GC", "MSS"]], "c2 has the networks DA2GC, MSS"),
        ([["MSS"], ["DSL", "LTE"], ["DSL"]], "c0 has the networks MSS"),
        ([["DSL"], ["MSS"], ["DA2GC"]], "c1 has the networks MSS"),
    ],
)
def test_a_context_nested_in_its_networks_is_reported(
    sound: Study, networks: list[list[str]], alone: str | None
) -> None:
    sound["contexts"] = [
        {"key": f"c{n}", "label": {"en": "x"}, "networks": offered} for n, offered in enumerate(networks)
    ]
    found = about(warned(sound), "contexts: ")
    if alone is None:
        assert found == []
    else:
        assert found[0].startswith(f"contexts: only {alone}, so the effect of the context")


def test_what_a_batch_lacks_and_publishing_lets_pass_is_reported(sound: Study, batch: Batch) -> None:
    sound["trials"][1]["count"] = 7
    del sound["trials"][1]["identical"]
    single, pair = batch.clips[0], batch.clips[2]
    bare = replace(batch, clips=[*batch.clips, replace(single, purpose="control", sha256="control")])
    twice = [
        replace(pair, purpose="identical", sha256=f"identical {stack}", stacks=(stack, stack))
        for stack in ("QUIC", "TCP+")
    ]
    few, having = (replace(bare, clips=[*bare.clips, *twice[:count]]) for count in (1, 2))
    # six pairs, and the seventh trial shows an identical one
    assert warned(sound, few) == [
        "trials[1].identical: the batch has identical pairs only for a share of 0.14; the default is 0.15."
    ]
    assert warned(sound, having) == []
    other = warned(sound | {"batch": "large"}, having)
    assert other == [f"batch is large, but the batch given is small ({'0' * 12})."]
    sound["trials"][1]["count"] = 4
    assert warned(sound, bare) == [
        "trials[1].identical: no identical pairs are shown, because the batch has none that match."
    ]
    sound["trials"][1]["count"] = 1
    assert warned(sound, having) == [
        "trials[1].identical: no identical pairs are shown, because count leaves no room for one.",
        *about(warned(sound, having), "contexts: in the group"),
    ]
    sound["trials"][1]["count"] = 4
    sound["contexts"][1]["networks"].append("2G")
    [warning] = about(warned(sound, having), "contexts: plane")
    assert warning == "contexts: plane has 2G, but the batch has no clip over it for any block."


def test_a_context_that_some_see_and_others_do_not_is_reported(sound: Study, batch: Batch) -> None:
    del sound["controls"]
    sound["trials"][1] |= {"count": 1, "identical": 0}
    [warning] = about(warned(sound, batch), "contexts: in the group")
    assert "of 60 participants see only 1 of up to 2" in warning
    assert about(warned(sound), "contexts: in the group") == []


def test_training_with_what_is_asked_about_and_without_an_obvious_pair_is_reported(sound: Study, batch: Batch) -> None:
    del sound["controls"]
    sound["trials"][1]["identical"] = 0
    for block in sound["trials"]:
        block["training"] = 2
    assert about(warned(sound, batch), "Training") == [
        "Training of trials[0] and trials[1] shows alpha and beta, which the study asks about, so participants may see "
        "a training video again; set training_site, or film a further site."
    ]
    # 800 and 1000 ms
    assert about(warned(sound, batch), "trials[1].training has no pair") == [
        "trials[1].training has no pair with an obvious difference: the largest is 25 % of the Speed Index; add "
        "control videos to the campaign."
    ]
    apart = replace(batch, clips=[replace(clip, si_ms=(1000.0, 500.0)[: len(clip.si_ms)]) for clip in batch.clips])
    assert about(warned(sound, apart), "trials[1].training has no pair") == []
    del sound["trials"][0]["training"]
    unknown = replace(batch, clips=[replace(clip, si_ms=()) for clip in batch.clips])
    sound["trials"][1]["training"] = 0
    assert about(warned(sound, unknown), "trials[0].training") == [
        "trials[0].training: the batch has no clips for training; the default is 2."
    ]


PROLIFIC: Study = {
    "name": "Prolific",
    "id_parameter": "PROLIFIC_PID",
    "return_url": "https://app.prolific.com/submissions/complete?cc={code}",
    "codes": {"completed": "DONE", "other": "BACK"},
}


def test_a_recruiter_with_a_way_back_for_everybody_is_not_warned(sound: Study) -> None:
    sound |= {"pay": {"amount": 9, "currency": "EUR"}, "groups": [{"key": "paid", "recruiter": PROLIFIC}]}
    sound["conformance"] = {"R7": {"pay": False}}
    assert about(warned(sound), "groups") == []
    sound["groups"][0]["recruiter"] = PROLIFIC | {"codes": PROLIFIC["codes"] | {"failed_checks": "FAIL"}}
    assert about(warned(sound), "groups") == []
    # who copies a code by hand needs no way back
    sound["groups"][0]["recruiter"] = {"name": "MTurk", "id_parameter": "workerId"}
    assert about(warned(sound), "groups") == []


def test_pay_without_a_recruiter_is_warned_of(sound: Study) -> None:
    sound |= {"pay": {"amount": 9, "currency": "EUR"}, "groups": [{"key": "lab"}, {"key": "paid"}]}
    sentence = (
        "pay is promised, but no group has a recruiter, so the platform stores no id by which to pay; add one, unless "
        "you pay in another way."
    )
    assert warned(sound) == [sentence]
    sound["groups"][1]["recruiter"] = PROLIFIC
    assert warned(sound) == []


@pytest.mark.parametrize(
    ("group", "sentence"),
    [
        (
            {"recruiter": PROLIFIC | {"codes": {"completed": "DONE", "no_consent": "NO"}}},
            "groups[0].recruiter has no way back for incompatible_device, full, closed, took_part, missing_id: these "
            "participants keep their place at Prolific until it times out; add codes.other or returns.other.",
        ),
        (
            {"recruiter": PROLIFIC | {"codes": {"other": "BACK"}}},
            "groups[0].recruiter.codes has no completed, so each participant gets a different code, but "
            "Prolific accepts only codes that the study there lists; add it.",
        ),
        (
            {"recruiter": PROLIFIC | {"codes": PROLIFIC["codes"] | {"failed_checks": "FAIL"}}},
            "groups[0].recruiter has a way back for failed_checks, but every rule of conformance has pay: true, so "
            "it is never used; set pay: false for a rule, or delete it.",
        ),
    ],
)
def test_a_recruiter_who_waits_in_vain_is_warned_of(sound: Study, group: Study, sentence: str) -> None:
    sound["groups"] = [{"key": "paid", **group}]
    sound["conformance"] = {rule: {"pay": True} for rule in ("R1", "R6", "R9")}
    assert about(warned(sound), "groups") == [sentence]


@pytest.mark.parametrize(
    ("field", "value", "needed"),
    [("min_scale", 0.49, None), ("min_scale", 0.6, 1546), ("min_device_scale", 0.5, 1288)],
)
def test_a_size_that_leaves_out_laptops_is_warned_of(
    sound: Study, batch: Batch, field: str, value: float, needed: int | None
) -> None:
    del sound["controls"]
    sound["trials"][1] |= {"count": 1, "identical": 0, field: value}
    sizes = {clip.sha256: (2576, 720) if clip.kind == "pair" else (1280, 720) for clip in batch.clips}
    sentence = f"trials[1].{field} is {value}, which needs a window of {needed} CSS pixels"
    found = about(warned(sound, replace(batch, sizes=sizes)), "trials[1].min_")
    assert [warning.startswith(sentence) for warning in found] == ([] if needed is None else [True])


def test_clips_that_are_left_out_for_their_length_are_reported_with_their_scenes(sound: Study, batch: Batch) -> None:
    del sound["controls"]
    sound["trials"][1]["identical"] = 0
    lengths = [9000.0 if clip.site == "alpha" else 1000.0 for clip in batch.clips]
    long = replace(batch, clips=[replace(clip, duration_ms=ms) for clip, ms in zip(batch.clips, lengths, strict=True)])
    assert about(warned(sound, long), "max_clip_s") == []
    sound["max_clip_s"] = 8
    for block in sound["trials"]:
        block["count"] = 1
    count = sum(clip.site == "alpha" for clip in batch.clips)
    networks = sorted({clip.network for clip in batch.clips if clip.site == "alpha"})
    scenes = ", ".join(f"alpha over {network}" for network in networks)
    assert about(warned(sound, long), "max_clip_s") == [
        f"max_clip_s is 8, which excludes {count} of the batch's {len(batch.clips)} clips: those of {scenes}."
    ]


def test_pairs_of_pages_that_never_come_to_rest_are_reported(sound: Study, batch: Batch) -> None:
    del sound["controls"]
    sound["trials"][1]["identical"] = 0
    moving = replace(batch, clips=[replace(clip, moving=clip.site == "beta") for clip in batch.clips])
    assert about(warned(sound, moving), "trials: beta has motion that never ends") == [
        "trials: beta has motion that never ends, so the sides of a pair show different phases of it; restrict "
        "sites, or mention this in your report."
    ]
    assert about(warned(sound, batch), "trials: beta has motion") == []
