"""Tests of what is said where it is unknown whether takes were served the same content."""

from pathlib import Path

from eyelevel_core.batch_folder import FilmedTake
from eyelevel_core.comparability.exclusion import content_unknown, failed_requests, select
from eyelevel_core.comparability.model import Findings
from eyelevel_core.model.run import RunName
from tests.core.made import replay_check, take

LOADS = [
    FilmedTake(Path(), stack, take(RunName("garden", "DSL", stack, 1, "cold")), (0.0,)) for stack in ("QUIC", "TCP+")
]
QUIC, TCP = (load.path for load in LOADS)


def findings(*takes: str, failed: frozenset[str] = frozenset()) -> Findings:
    return Findings(frozenset(takes), {}, (), failed)


def test_without_fidelity_all_content_is_unknown_and_nothing_is_excluded() -> None:
    assert str(content_unknown(LOADS, None)).startswith("The batch has no fidelity.json")
    assert select(LOADS, None, cache="cold", checks={"garden": replay_check()}).settings_mismatches == []


def test_takes_that_fidelity_does_not_cover_are_counted() -> None:
    assert f"does not cover 1 of 2 takes yet (such as {TCP})" in str(content_unknown(LOADS, findings(QUIC)))
    assert content_unknown(LOADS, findings(QUIC, TCP)) is None


def test_takes_with_failed_requests_are_counted_by_stack() -> None:
    assert failed_requests(LOADS, findings(QUIC, TCP)) is None
    report = failed_requests(LOADS, findings(QUIC, TCP, failed=frozenset({TCP})))
    assert "TCP+ 1" in str(report)
