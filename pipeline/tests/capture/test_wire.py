"""What a wire report says against a run."""

import copy

import pytest

from eyelevel.capture.attempts.verdict import judge_wire
from eyelevel.loads.inside.request import Cause, VoidError
from eyelevel_core.contracts import ContractError, check
from eyelevel_core.model.wire import WireReport
from tests.comparability.wire_reports import report


@pytest.mark.parametrize("stack", ["TCP+", "QUIC"])
def test_a_report_keeps_the_contract_and_is_not_void(stack: str) -> None:
    value = report(stack)
    check(value, "wire.1", source="wire.json")
    judge_wire(WireReport.of(value))


@pytest.mark.parametrize(("place", "name"), [((), "contradictions"), (("server",), "origins")])
def test_a_report_that_does_not_say_what_it_served_or_found_is_refused(place: tuple[str, ...], name: str) -> None:
    value = copy.deepcopy(report("QUIC"))
    part = value
    for step in place:
        part = part[step]
    del part[name]
    with pytest.raises(ContractError, match=f"{name} is missing"):
        check(value, "wire.1", source="wire.json")


def test_a_contradiction_voids_the_run_with_its_sentence() -> None:
    sentence = "stack TCP+ is paced, but nothing paced the connection to 198.18.0.1:5000"
    with pytest.raises(VoidError) as caught:
        judge_wire(WireReport.of({**report("TCP+"), "contradictions": [sentence, "another", "and one more"]}))
    assert caught.value.cause is Cause.WIRE_CONTRADICTION
    assert caught.value.detail == f"{sentence} (2 more)"
