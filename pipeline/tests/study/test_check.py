"""A study file that is wrong is refused with one sentence: the line, the field, the value, the cure."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from eyelevel_core.contracts import ContractError, schema
from eyelevel_core.study.check import check_study
from eyelevel_core.study.file import read_study_file
from eyelevel_core.study.parse import StudyError
from eyelevel_kinds import KINDS

DEMO = Path(__file__).parents[3] / "fixtures" / "study-demo.yaml"
Study = dict[str, Any]


def text(en: str = "text", de: str = "Text") -> dict[str, str]:
    return {"en": en, "de": de}


def control(**changes: Any) -> Study:
    choices = [{"key": "red", "label": text()}, {"key": "green", "label": text()}]
    return {"key": "colour", "label": text(), "choices": choices, "right": "red", **changes}


def recruited(**fields: Any) -> Study:
    return {"key": "paid", "recruiter": {"name": "r", "id_parameter": "PID", **fields}}


def revealed(place: str, what: str, secret: str) -> str:
    return (
        f"study.yaml: groups[0].recruiter.{place} shows {what} to everybody, but only participants who complete the "
        f"study may read {secret}; use another code or URL."
    )


def lacks(place: str, language: str) -> str:
    lists = f"languages lists {language}; add the text, or remove {language} there."
    return f"study.yaml: {place} has no text in {language}, but {lists}"


@pytest.fixture
def study() -> Study:
    return {
        "contract": "eyelevel/study/1",
        "name": "small",
        "seed": 1,
        "languages": ["en", "de"],
        "title": text(),
        "contact": "study@example.org",
        "consent": {"version": "1", "text": text()},
        "batch": "small",
        "contexts": [
            {"key": "work", "label": text(), "networks": ["DSL", "LTE"]},
            {"key": "plane", "label": text(), "networks": ["MSS"]},
        ],
        "questions": [
            {
                "key": "age",
                "label": text(),
                "choices": [{"key": "young", "label": text()}, {"key": "old", "label": text()}],
            }
        ],
        "trials": [
            {"kind": "rate", "count": 2, "training": 0},
            {"kind": "compare", "count": 1, "training": 0, "pairs": [["TCP+", "QUIC"]]},
        ],
    }


def test_a_right_study_passes(study: Study) -> None:
    check_study(study, source="study.yaml")
    assert read_study_file(yaml.safe_dump(study), source="study.yaml").written == study


def test_a_block_of_every_kind_passes_with_its_own_fields(study: Study) -> None:
    shared = {
        "count": 1,
        "contexts": ["work", "plane"],
        "clips": "medoid",
        "training": 1,
        "repeats": 1,
        "answer_from": "start",
    }
    study["trials"] = [
        {"kind": "rate", "stacks": ["QUIC"], **shared},
        {"kind": "compare", "pairs": [["TCP", "QUIC"]], "min_width_px": 800, "identical": 0.2, **shared},
        {"kind": "slider", "stacks": ["TCP"], **shared},
    ]
    check_study(study, source="study.yaml")


@pytest.mark.parametrize(
    "recruiter",
    [
        # one URL for all ends, and the code makes the difference; short codes, of which one begins another
        {"return_url": "https://s1.example/r?status={code}&id={id}", "codes": {"completed": "1", "other": "10"}},
        {"return_url": "https://x/done", "returns": {"other": "https://x/done/not"}},
        # only participants who complete the study read either
        {"codes": {"completed": "DONE", "failed_checks": "DONE"}},
        # each participant's own code
        {"return_url": "https://x/?cc={code}", "codes": {"other": "BACK"}},
    ],
)
def test_ways_back_that_reveal_nothing_pass(study: Study, recruiter: dict[str, Any]) -> None:
    check_study({**study, "groups": [recruited(**recruiter)]}, source="study.yaml")


def test_the_demo_study_is_right_and_bilingual_throughout() -> None:
    study = read_study_file(DEMO.read_text(), source="study-demo.yaml")
    assert [(block.kind, block.count) for block in study.design.blocks] == [("rate", 4), ("compare", 2)]
    assert study.design.batch == "demo"
    assert json.dumps(study.written).count('"en"') == json.dumps(study.written).count('"de"')


WRONG: dict[str, tuple[Callable[[Study], object], str]] = {
    "text in one language only": (
        lambda s: s["contexts"][1]["label"].pop("de"),
        lacks("contexts[1].label", "de"),
    ),
    "blank text": (
        lambda s: s["consent"]["text"].update(en="  "),
        "study.yaml: consent.text.en shows nothing, as it is only white space; write the text.",
    ),
    "choice without its text": (
        lambda s: s["questions"][0]["choices"][1]["label"].pop("en"),
        lacks("questions[0].choices[1].label", "en"),
    ),
    "instructions in one language": (
        lambda s: s.update(instructions={"en": "x"}),
        lacks("instructions", "de"),
    ),
    "context twice": (
        lambda s: s["contexts"][1].update(key="work"),
        'study.yaml: contexts[1] repeats "work"; each name may be listed once.',
    ),
    "question twice": (
        lambda s: s["questions"].append(s["questions"][0]),
        'study.yaml: questions[1] repeats "age"; each name may be listed once.',
    ),
    "choice twice": (
        lambda s: s["questions"][0]["choices"][1].update(key="young"),
        'study.yaml: questions[0].choices[1] repeats "young"; each name may be listed once.',
    ),
    "network of no context": (
        lambda s: s["trials"][0].update(networks=["DSL", "DA2GC"]),
        'study.yaml: trials[0].networks[1] is "DA2GC", but the networks of the block\'s contexts are DSL, LTE, MSS.',
    ),
    "network of another context": (
        lambda s: s["trials"][0].update(contexts=["plane"], networks=["MSS", "LTE"]),
        'study.yaml: trials[0].networks[1] is "LTE", but the only network of the block\'s contexts is MSS.',
    ),
    "context of a block that is none": (
        lambda s: s["trials"][1].update(contexts=["work", "moon"]),
        'study.yaml: trials[1].contexts[1] is "moon", but the study\'s contexts are work, plane.',
    ),
    "context that no block asks about": (
        lambda s: [block.update(contexts=["work"]) for block in s["trials"]],
        "study.yaml: contexts[1] (plane) is in no block; name it in a block's contexts or delete it.",
    ),
    "more repeats than trials": (
        lambda s: s["trials"][0].update(repeats=3),
        "study.yaml: trials[0].repeats is 3, but the block has only 2 trials to repeat; lower it or raise count.",
    ),
    "debriefing in one language": (
        lambda s: s.update(debriefing={"de": "x"}),
        lacks("debriefing", "en"),
    ),
    "retention in one language": (
        lambda s: s.update(retention={"months": 12, "text": {"en": "x"}}),
        lacks("retention.text", "de"),
    ),
    "group's name in one language": (
        lambda s: s.update(groups=[{"key": "paid"}, {"key": "laboratory", "label": {"en": "x"}}]),
        lacks("groups[1].label", "de"),
    ),
    "control question in one language": (
        lambda s: s.update(controls={"questions": [control(label={"en": "x"})]}),
        lacks("controls.questions[0].label", "de"),
    ),
    "group twice": (
        lambda s: s.update(groups=[{"key": "paid"}, {"key": "paid"}]),
        'study.yaml: groups[1] repeats "paid"; each name may be listed once.',
    ),
    "control question twice": (
        lambda s: s.update(controls={"questions": [control(), control()]}),
        'study.yaml: controls.questions[1] repeats "colour"; each name may be listed once.',
    ),
    "choice of a control question twice": (
        lambda s: s.update(controls={"questions": [control(choices=[{"key": "red", "label": text()}] * 2)]}),
        'study.yaml: controls.questions[0].choices[1] repeats "red"; each name may be listed once.',
    ),
    "hypothesis twice": (
        lambda s: s.update(plan={"hypotheses": [{"key": "H1", "says": "x"}] * 2}),
        'study.yaml: plan.hypotheses[1] repeats "H1"; each name may be listed once.',
    ),
    "right answer that nobody can give": (
        lambda s: s.update(controls={"questions": [control(right="blue")]}),
        'study.yaml: controls.questions[0].right is "blue", but must be one of its choices red, green.',
    ),
    "control question after the end": (
        lambda s: s.update(controls={"questions": [control(after=4)]}),
        "study.yaml: controls.questions[0].after is 4, but a participant has only 3 trials; write 3 or less.",
    ),
    "address with a word that nothing replaces": (
        lambda s: s.update(groups=[recruited(return_url="https://recruiter.example/?a={code}&b={1}")]),
        "study.yaml: groups[0].recruiter.return_url has a { that belongs to no {code}, {id} or {PARAMETER} of the "
        "link; delete it.",
    ),
    "address whose host the link decides": (
        lambda s: s.update(groups=[recruited(returns={"full": "https://{HOST}.example/"})]),
        "study.yaml: groups[0].recruiter.returns.full has a placeholder in its host, {HOST}.example, so a link could "
        "lead anywhere; write the host in full.",
    ),
    "address with a code that nobody gave": (
        lambda s: s.update(groups=[recruited(returns={"no_consent": "https://x/{code}"}, codes={"full": "FULL"})]),
        "study.yaml: groups[0].recruiter.returns.no_consent contains {code}, but codes has none for no_consent; "
        "add it.",
    ),
    "code for completion that everybody can read": (
        lambda s: s.update(groups=[recruited(codes={"completed": "DONE", "no_consent": "DONE"})]),
        revealed("codes.no_consent", "DONE", "DONE"),
    ),
    "code for failed checks that everybody can read": (
        lambda s: s.update(groups=[recruited(codes={"failed_checks": "FAIL", "other": "FAIL"})]),
        revealed("codes.other", "FAIL", "FAIL"),
    ),
    "address for completion that everybody can read": (
        lambda s: s.update(groups=[recruited(return_url="https://x/?cc=DONE", returns={"full": "https://x/?cc=DONE"})]),
        revealed("returns.full", "https://x/?cc=DONE", "https://x/?cc=DONE"),
    ),
    "address for completion under another name of the id": (
        lambda s: s.update(groups=[recruited(return_url="https://x/?i={id}", returns={"full": "https://x/?i={PID}"})]),
        revealed("returns.full", "https://x/?i={PID}", "https://x/?i={id}"),
    ),
    "address that everybody can read with the code for completion": (
        lambda s: s.update(groups=[recruited(codes={"completed": "DONE"}, returns={"other": "https://x/?cc=DONE"})]),
        revealed("returns.other", "https://x/?cc=DONE", "DONE"),
    ),
    "address with the code for completion, percent-encoded": (
        lambda s: s.update(
            groups=[recruited(codes={"completed": "DONE"}, returns={"other": "https://x/?cc=D%4fNE&a=b"})]
        ),
        revealed("returns.other", "https://x/?cc=D%4fNE&a=b", "DONE"),
    ),
    "code that everybody can read in the address for completion": (
        lambda s: s.update(groups=[recruited(return_url="https://x/?cc=DONE", codes={"other": "DONE"})]),
        revealed("codes.other", "DONE", "https://x/?cc=DONE"),
    ),
    "code that everybody can read, filled into an address for completion": (
        lambda s: s.update(
            groups=[
                recruited(
                    codes={"other": "DONE"},
                    returns={"completed": "https://x/?cc=DONE", "other": "https://x/?cc={code}"},
                )
            ]
        ),
        revealed("codes.other", "DONE", "https://x/?cc=DONE"),
    ),
    "one address for all ends with the code for completion": (
        lambda s: s.update(
            groups=[recruited(return_url="https://x/?k=DONE&c={code}", codes={"completed": "DONE", "other": "BACK"})]
        ),
        revealed("return_url", "https://x/?k=DONE&c=BACK", "DONE"),
    ),
    "end that is none": (
        lambda s: s.update(groups=[recruited(codes={"bored": "B"})]),
        "study.yaml: groups[0].recruiter.codes.bored is not a known field. The fields here are completed, "
        "failed_checks, no_consent, incompatible_device, full, closed, took_part, missing_id, other.",
    ),
    "rule that is none": (
        lambda s: s.update(conformance={"R10": {"use": True}}),
        "study.yaml: conformance.R10 is not a known field. Did you mean R1?",
    ),
    "way to resume that is none": (
        lambda s: s.update(session={"resume": "maybe"}),
        'study.yaml: session.resume is "maybe", but must be one of resume, restart, block.',
    ),
    "site twice": (
        lambda s: s["trials"][0].update(sites=["a", "b", "a"]),
        'study.yaml: trials[0].sites[2] repeats "a"; each name may be listed once.',
    ),
    "a stack with itself": (
        lambda s: s["trials"][1].update(pairs=[["QUIC", "QUIC"]]),
        "study.yaml: trials[1].pairs[0] compares QUIC with itself.",
    ),
    "a pair in both orders": (
        lambda s: s["trials"][1].update(pairs=[["TCP", "QUIC"], ["QUIC", "TCP"]]),
        "study.yaml: trials[1].pairs[1] repeats QUIC and TCP; both orders of a pair are shown anyway, so delete it.",
    ),
    "another kind": (
        lambda s: s["trials"][1].update(kind="guess"),
        'study.yaml: trials[1].kind is "guess", but must be one of compare, rate, slider.',
    ),
    "a field of the other kind": (
        lambda s: s["trials"][0].update(pairs=[["a", "b"]]),
        "study.yaml: trials[0].pairs is not a known field. The fields here are kind, count, sites, networks, contexts, "
        "clips, training, repeats, answer_from, stacks, min_scale, min_device_scale.",
    ),
    "a slider with pairs": (
        lambda s: s["trials"].append({"kind": "slider", "count": 1, "pairs": [["a", "b"]]}),
        "study.yaml: trials[2].pairs is not a known field. The fields here are kind, count, sites, networks, contexts, "
        "clips, training, repeats, answer_from, stacks, min_scale, min_device_scale.",
    ),
    "a count that is none": (
        lambda s: s["trials"][1].update(count="four"),
        'study.yaml: trials[1].count is "four", but must be a whole number from 1 to 200.',
    ),
    "a block without count": (
        lambda s: s["trials"][1].pop("count"),
        "study.yaml: trials[1].count is missing; add it: a whole number from 1 to 200.",
    ),
    "trials that are no list": (
        lambda s: s.update(trials="rate"),
        'study.yaml: trials is "rate", but must be a list of at least 1 entry.',
    ),
    "a number that is none": (
        lambda s: s.update(plan={"sd": float("nan")}),
        "study.yaml: plan.sd is nan, but must be a finite number.",
    ),
    "a number without end": (
        lambda s: s.update(pay={"amount": float("inf"), "currency": "EUR"}),
        "study.yaml: pay.amount is inf, but must be a finite number.",
    ),
    "a time without end": (
        lambda s: s.update(conformance={"R3": {"away_ms": float("-inf")}}),
        "study.yaml: conformance.R3.away_ms is -inf, but must be a finite number.",
    ),
    "a number too large to reckon with": (
        lambda s: s.update(plan={"hypotheses": [{"key": "H1", "says": "x", "margin": 101}]}),
        "study.yaml: plan.hypotheses[0].margin is 101, but must be a number above 0 and at most 100.",
    ),
    "a retention of millennia": (
        lambda s: s.update(retention={"months": 1201, "text": text()}),
        "study.yaml: retention.months is 1201, but must be a whole number from 1 to 1200.",
    ),
    "a lease that no database holds": (
        lambda s: s.update(session={"lease_minutes": 99_999_999_999}),
        "study.yaml: session.lease_minutes is 99999999999, but must be a whole number from 1 to 525600.",
    ),
    "a level that nothing reaches": (
        lambda s: s.update(plan={"alpha": 1e-300}),
        "study.yaml: plan.alpha is 1e-300, but must be a number of at least 1e-06 and below 1.",
    ),
    "a whole number with a point": (
        lambda s: s["trials"][0].update(count=2.0),
        "study.yaml: trials[0].count is 2.0, but must be a whole number; write 2.",
    ),
    "a kind's own whole number with a point": (
        lambda s: s["trials"][1].update(min_width_px=800.0),
        "study.yaml: trials[1].min_width_px is 800.0, but must be a whole number; write 800.",
    ),
    "a name with a line break": (
        lambda s: s.update(name="small\n"),
        "study.yaml: name ends with a line break; remove it.",
    ),
    "a character that ends texts": (
        lambda s: s["title"].update(en="a\0b"),
        "study.yaml: title.en contains the character U+0000, which text cannot contain; remove it.",
    ),
    "half a character": (
        lambda s: s["title"].update(en="\ud83d"),
        "study.yaml: title.en contains the character U+D83D, which text cannot contain; remove it.",
    ),
    "another contract": (
        lambda s: s.update(contract="eyelevel/study/2"),
        'study.yaml: contract is "eyelevel/study/2", but must be "eyelevel/study/1".',
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_named(study: Study, name: str) -> None:
    change, sentence = WRONG[name]
    change(study)
    with pytest.raises(ContractError) as caught:
        check_study(study, source="study.yaml")
    assert str(caught.value) == sentence


def test_every_number_of_a_study_has_bounds() -> None:
    forms = [schema("study.1"), *(kind.block for kind in KINDS.values())]
    found = [form for form in forms for form in numbers(form)]
    assert len(found) > 20
    assert [form for form in found if not {"minimum", "exclusiveMinimum"} & set(form)] == []
    assert [form for form in found if not {"maximum", "exclusiveMaximum"} & set(form)] == []


def numbers(form: Any) -> Iterator[dict[str, Any]]:
    """The schemas of numbers, at any depth."""
    parts = form.values() if isinstance(form, dict) else form if isinstance(form, list) else ()
    if isinstance(form, dict) and form.get("type") in ("integer", "number"):
        yield form
    for part in parts:
        yield from numbers(part)


@pytest.mark.parametrize("value", [None, [], "text", 3, float("nan"), {"trials": [3]}, {"trials": {}}])
def test_a_value_that_is_not_a_study_is_refused(value: object) -> None:
    with pytest.raises(ContractError, match=r"^study\.yaml: "):
        check_study(value, source="study.yaml")


@pytest.mark.parametrize(
    ("part", "name", "most"),
    [
        ("retention", "months", 1200),
        ("session", "resume_within_minutes", 525600),
        ("session", "lease_minutes", 525600),
        ("session", "time_limit_minutes", 525600),
    ],
)
def test_no_time_leads_beyond_every_calendar(study: Study, part: str, name: str, most: int) -> None:
    more = {"text": text()} if part == "retention" else {}
    check_study(study | {part: more | {name: most}}, source="study.yaml")
    with pytest.raises(ContractError) as caught:
        check_study(study | {part: more | {name: most + 1}}, source="study.yaml")
    wrong = f"{part}.{name} is {most + 1}, but must be a whole number from 1 to {most}."
    assert (str(caught.value), caught.value.where) == (f"study.yaml: {wrong}", (part, name))


def test_training_repeats_and_control_videos_are_trials_too(study: Study) -> None:
    study["trials"][0] |= {"training": 1, "repeats": 1}
    study["controls"] = {"videos": {"count": 1}, "questions": [control(after=6)]}
    check_study(study, source="study.yaml")
    study["controls"]["questions"][0]["after"] = 7
    with pytest.raises(ContractError, match=r"after is 7, but a participant has only 6 trials"):
        check_study(study, source="study.yaml")


def test_a_field_deep_inside_is_named_with_its_line(study: Study) -> None:
    study["controls"] = {"questions": [control(right="blue")]}
    written = yaml.safe_dump(study)
    (line,) = [number for number, line in enumerate(written.splitlines(), 1) if "right: blue" in line]
    with pytest.raises(StudyError, match=rf"^study\.yaml, line {line}: controls\.questions\[0\]\.right is .blue."):
        read_study_file(written, source="study.yaml")
