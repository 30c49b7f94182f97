"""What a wire report says against a run, and whether two of them differ in their stacks' definitions only."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from eyelevel.capture.attempts.verdict import judge_wire
from eyelevel.loads.inside.request import Cause, VoidError
from eyelevel_core.comparability.settings import settings_of, unexplained
from eyelevel_core.contracts import ContractError, check
from eyelevel_core.model.wire import WireReport

SAMPLE = Path(__file__).resolve().parents[3] / "fixtures" / "sample-batch" / "takes" / "garden" / "DSL"


def report(stack: str) -> dict[str, Any]:
    """A real report from before the wire was measured, with what was measured since of such a run beside it."""
    value: dict[str, Any] = json.loads((SAMPLE / stack / "run-01" / "wire.json").read_text())
    tcp = stack.startswith("TCP")
    sizes = [4096, 1048576, 16777216]
    settings = {
        "transport": ["tcp" if tcp else "quic"],
        "alpn": ["h2" if tcp else "h3"],
        "tls": ["TLSv1_3"],
        "handshake_round_trips": [2 if tcp else 1],
        "early_data": False,
        "resumption": [False],
        "initial_window_packets": [32],
        "congestion_control": ["cubic"],
        "pacing": [True],
        "send_buffer_bytes": [1048576 if tcp else 212992],
        "receive_buffer_bytes": [1048576 if tcp else 212992],
        "kernel": {"slow_start_after_idle": False, "tcp_wmem_bytes": sizes, "tcp_rmem_bytes": sizes} if tcp else None,
    }
    outcomes = {
        "connections": 1,
        "connections_used": 1,
        "first_flight": {"packets": 31, "bytes": 44888, "spread_ms": 9.0, "burst_packets": 9},
        "retransmitted_packets": 0,
        "drops_queue": 0,
        "drops_loss": 0,
    }
    return {**value, "wire": {"settings": settings, "outcomes": outcomes}, "flows": [], "contradictions": []}


def differences(one: dict[str, Any], other: dict[str, Any]) -> list[str]:
    return unexplained(settings_of(WireReport.of(one)), settings_of(WireReport.of(other)))


@pytest.mark.parametrize(("tickets", "explained"), [(True, True), (False, False)])
def test_which_connections_resume_is_an_outcome_of_stacks_with_tickets_alone(tickets: bool, explained: bool) -> None:
    one, other = report("QUIC"), report("QUIC")
    for value, resumption in ((one, [True]), (other, [False, True])):
        value["stack"]["definition"]["tickets"] = tickets
        value["wire"]["settings"]["resumption"] = resumption
    assert bool(differences(one, other)) is not explained


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
    with pytest.raises(ContractError, match=f"'{name}' is a required property"):
        check(value, "wire.1", source="wire.json")


def test_a_contradiction_voids_the_run_with_its_sentence() -> None:
    sentence = "stack TCP+ is paced, but nothing paced the connection to 198.18.0.1:5000"
    with pytest.raises(VoidError) as caught:
        judge_wire(WireReport.of({**report("TCP+"), "contradictions": [sentence, "another", "and one more"]}))
    assert caught.value.cause is Cause.WIRE_CONTRADICTION
    assert caught.value.detail == f"{sentence} (2 more)"


def test_two_stacks_may_differ_in_what_their_definitions_say() -> None:
    assert differences(report("TCP+"), report("QUIC")) == []


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        (
            ("wire", "settings", "initial_window_packets"),
            [10],
            "wire.settings.initial_window_packets is [32] with TCP+ and [10] with QUIC, "
            "which their definitions do not say",
        ),
        (
            ("wire", "settings", "pacing"),
            [False, True],
            "wire.settings.pacing is [True] with TCP+ and [False, True] with QUIC, which their definitions do not say",
        ),
        (
            ("server", "grouping"),
            "by rule",
            "server.grouping is recorded with TCP+ and by rule with QUIC, which their definitions do not say",
        ),
    ],
)
def test_any_other_difference_is_told(path: tuple[str, ...], value: Any, told: str) -> None:
    other = copy.deepcopy(report("QUIC"))
    place = other
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = value
    assert differences(report("TCP+"), other) == [told]


def test_what_a_definition_says_differs_without_a_word() -> None:
    other = report("TCP+")
    other["stack"]["definition"]["congestion_control"] = "bbr"
    other["wire"]["settings"]["congestion_control"] = ["bbr"]
    assert differences(report("TCP+"), other) == []


def test_two_takes_of_a_stack_that_discovers_quic_may_be_carried_by_different_transports() -> None:
    one, other = report("QUIC"), report("QUIC")
    side = {"http": "2", "initial_window_packets": 10, "pacing": False}
    for value in (one, other):
        value["stack"]["definition"] |= {"alt_svc": True, "tcp_side": side}
    other["wire"]["settings"] |= {
        "transport": ["quic", "tcp"], "alpn": ["h2", "h3"], "handshake_round_trips": [1, 2],
        "initial_window_packets": [10, 32], "pacing": [False, True], "send_buffer_bytes": [87040, 212992],
        "kernel": {"slow_start_after_idle": True, "tcp_wmem_bytes": [1, 2, 3], "tcp_rmem_bytes": [1, 2, 3]},
    }  # fmt: skip
    assert differences(one, other) == []
    other["wire"]["settings"]["resumption"] = [True]
    assert len(differences(one, other)) == 1


def test_unknown_differs_from_nothing() -> None:
    other = report("QUIC")
    other["wire"]["settings"]["initial_window_packets"] = []
    assert differences(report("TCP+"), other) == []
