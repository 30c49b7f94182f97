"""How many runs a campaign planned: those that it skips are not missing, and a network may have its own number."""

import pytest

from eyelevel.compare.quality import stack_counts
from eyelevel_core.model.take import Definition
from tests.core.made import campaign

STACKS = {
    name: Definition(name, "ab" * 32, {"alt_svc": discovers}) for name, discovers in (("TCP", False), ("QUIC", True))
}


@pytest.mark.parametrize(
    ("cache", "skip", "planned"),
    [
        ("cold", True, {"QUIC": 6, "TCP": 6, "TCP+": 6}),
        ("altsvc", False, {"QUIC": 6, "TCP": 6, "TCP+": 6}),
        # TCP+ has no take, so nobody knows what it would have discovered
        ("altsvc", True, {"QUIC": 6, "TCP+": 6}),
    ],
)
def test_runs_that_a_campaign_skips_are_not_planned(cache: str, skip: bool, planned: dict[str, int]) -> None:
    asked = campaign(
        runs=3,
        networks=["DSL", "LTE"],
        stacks=["TCP", "QUIC", "TCP+"],
        pairs=[],
        cache=["cold", "altsvc"],
        skip_without_effect=skip,
        sites=[{"name": "garden", "recording": "garden.warc.gz"}],
    )
    found = stack_counts([], None, [asked], cache=cache, stacks=STACKS, comparable=[], mismatched=None)
    assert {row.stack: row.planned for row in found} == planned


def test_the_runs_of_a_network_are_planned_for_it_alone() -> None:
    asked = campaign(
        runs=3,
        runs_on={"DSL": 5},
        networks=["DSL", "LTE"],
        stacks=["TCP"],
        pairs=[],
        sites=[{"name": "garden", "recording": "garden.warc.gz"}],
    )
    found = stack_counts([], None, [asked], cache="cold", stacks=STACKS, comparable=[], mismatched=None)
    assert [row.planned for row in found] == [5 + 3]
