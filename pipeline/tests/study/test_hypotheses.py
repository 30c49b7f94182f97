"""A hypothesis that no program could answer is refused, with its place and a cure."""

from pathlib import Path
from typing import Any

import pytest

from eyelevel_core.contracts.check import ContractError
from eyelevel_core.study.check import check_study
from eyelevel_core.study.design import Design
from eyelevel_core.study.file import read_study_file

EXAMPLE = Path(__file__).resolve().parents[3] / "docs" / "guides" / "study-2019.yaml"


def checked(**changes: Any) -> Design:
    """The plan's first hypothesis (H1, about pairs) with other fields; None deletes one."""
    study = dict(read_study_file(EXAMPLE.read_text(), source="study.yaml").written)
    hypothesis = study["plan"]["hypotheses"][0] | changes
    study["plan"]["hypotheses"][0] = {name: value for name, value in hypothesis.items() if value is not None}
    return check_study(study, source="study.yaml")[1]


def test_the_example_is_right() -> None:
    checked()
    checked(kind=None, pair=None, networks=None, expects=None, margin=None, margin_reason=None)


@pytest.mark.parametrize(
    ("changes", "place", "words"),
    [
        ({"kind": None}, "plan.hypotheses[0]", "has pair, but no kind"),
        ({"pair": None}, "plan.hypotheses[0].pair", "is missing; a hypothesis of kind compare needs it"),
        ({"networks": None}, "plan.hypotheses[0].networks", "is missing"),
        ({"expects": None}, "plan.hypotheses[0].expects", "is missing"),
        ({"pair": ["TCP", "QUIC"]}, "plan.hypotheses[0].pair", "no block of kind compare asks about both"),
        (
            {"kind": "rate", "pair": ["TCP+", "HTTP"]},
            "plan.hypotheses[0].pair",
            "no block of kind rate asks about both",
        ),
        ({"kind": "slider"}, "plan.hypotheses[0].kind", "slider"),
        ({"over": ["5G"]}, "plan.hypotheses[0].over[0]", 'is "5G", but the study\'s networks are DA2GC, DSL, LTE, MSS'),
        ({"expects": "equivalent", "margin": None, "margin_reason": None}, "plan.hypotheses[0].margin", "is missing"),
        ({"margin_reason": None}, "plan.hypotheses[0].margin_reason", "is missing; a margin needs it"),
        ({"margin": 1.5}, "plan.hypotheses[0].margin", "shares differ by 1 at most"),
        ({"margin": 1}, "plan.hypotheses[0].margin", "is 1, but shares differ by 1 at most"),
        ({"metric": "SI"}, "plan.hypotheses[0].metric", "belongs to hypotheses of kind metrics"),
        ({"kind": "metrics"}, "plan.hypotheses[0].metric", "is missing"),
        ({"kind": "metrics", "metric": "SI"}, "plan.hypotheses[0].pair", "is about metrics; delete it"),
        ({"kind": "metrics", "metric": "speed"}, "plan.hypotheses[0].metric", "but the metrics are FVC, SI, VC85"),
    ],
)
def test_what_a_program_needs_is_asked_for(changes: dict[str, Any], place: str, words: str) -> None:
    with pytest.raises(ContractError) as caught:
        checked(**changes)
    assert str(caught.value).startswith(f"study.yaml: {place} ")
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "over"),
    [
        ({"networks": "each"}, ("DA2GC", "DSL", "LTE", "MSS")),
        ({"networks": "each", "over": ["LTE"]}, ("LTE",)),
        # one effect over whatever has votes
        ({"networks": "pooled"}, None),
    ],
)
def test_a_claim_about_each_network_is_about_those_on_which_the_study_asks(
    changes: dict[str, Any], over: tuple[str, ...] | None
) -> None:
    assert checked(**changes).plan.hypotheses[0].over == over


def test_a_block_of_fewer_networks_asks_about_them_alone() -> None:
    study = dict(read_study_file(EXAMPLE.read_text(), source="study.yaml").written)
    for block in study["trials"]:
        if block["kind"] == "rate":
            block["networks"] = ["DSL"]
    del study["plan"]["hypotheses"][1]["over"]
    _, design = check_study(study, source="study.yaml")
    assert design.plan.hypotheses[1].over == ("DSL",)


def looked(**looks: Any) -> None:
    """The example with these looks; its quotas are for 600 sessions together."""
    study = dict(read_study_file(EXAMPLE.read_text(), source="study.yaml").written)
    study["plan"] = study["plan"] | {"looks": looks}
    _, design = check_study(study, source="study.yaml")
    assert design.plan.looks is not None
    assert design.plan.looks.planned == sum(group.sessions for group in design.groups)


def test_looks_have_a_spending_by_default() -> None:
    looked(at=[10, 20])


@pytest.mark.parametrize(
    ("looks", "words"),
    [
        ({"at": [20, 20]}, "plan.looks.at[1] is 20, but the look before it is at 20; write the looks in rising order"),
        ({"at": [20, 10]}, "plan.looks.at[1] is 10, but the look before it is at 20"),
        (
            {"at": [10, 900000]},
            "plan.looks.at[1] is 900000, but must be below 640, because the quotas",
        ),
        ({"at": []}, "plan.looks.at"),
        ({"at": [0]}, "plan.looks.at[0]"),
        ({"at": [10], "spending": "even"}, "plan.looks.spending"),
        ({"spending": "pocock"}, "plan.looks"),
    ],
)
def test_looks_that_make_no_sense_are_refused(looks: dict[str, Any], words: str) -> None:
    with pytest.raises(ContractError) as caught:
        looked(**looks)
    assert words in str(caught.value)
