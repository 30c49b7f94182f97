"""Two wire reports may differ in what the definitions of their stacks say, and in nothing else."""

import copy
from typing import Any

import pytest

from eyelevel_core.comparability.settings import contradictions, settings_of, unexplained
from eyelevel_core.model.wire import WireReport
from tests.comparability.wire_reports import report


def differences(one: dict[str, Any], other: dict[str, Any]) -> list[str]:
    return unexplained(settings_of(WireReport.of(one)), settings_of(WireReport.of(other)))


@pytest.mark.parametrize(("tickets", "explained"), [(True, True), (False, False)])
def test_which_connections_resume_is_an_outcome_of_stacks_with_tickets_alone(tickets: bool, explained: bool) -> None:
    one, other = report("QUIC"), report("QUIC")
    for value, resumption in ((one, [True]), (other, [False, True])):
        value["stack"]["definition"]["tickets"] = tickets
        value["wire"]["settings"]["resumption"] = resumption
    assert bool(differences(one, other)) is not explained


def test_two_stacks_may_differ_in_what_their_definitions_say() -> None:
    assert differences(report("TCP+"), report("QUIC")) == []


@pytest.mark.parametrize(
    ("path", "value", "difference"),
    [
        (
            ("wire", "settings", "initial_window_packets"),
            [10],
            "wire.settings.initial_window_packets is [32] with TCP+ and [10] with QUIC, "
            "which their definitions do not explain",
        ),
        (
            ("wire", "settings", "pacing"),
            [False, True],
            "wire.settings.pacing is [True] with TCP+ and [False, True] with QUIC, which their definitions do not "
            "explain",
        ),
        (
            ("server", "grouping"),
            "by rule",
            "server.grouping is recorded with TCP+ and by rule with QUIC, which their definitions do not explain",
        ),
    ],
)
def test_any_other_difference_is_reported(path: tuple[str, ...], value: Any, difference: str) -> None:
    other = copy.deepcopy(report("QUIC"))
    place = other
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = value
    assert differences(report("TCP+"), other) == [difference]


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


def test_each_take_is_compared_with_all_before_it() -> None:
    other = report("QUIC")
    other["wire"]["settings"]["initial_window_packets"] = [10]
    takes = {"a": report("TCP+"), "b": report("QUIC"), "c": report("TCP+"), "d": other}
    settings = {name: settings_of(WireReport.of(value)) for name, value in takes.items()}
    assert [(path, model) for path, model, _ in contradictions(settings)] == [("d", "a")]
    assert list(contradictions({name: settings[name] for name in "abc"})) == []
