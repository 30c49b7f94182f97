"""One clip per take; two per scene and pair, in both orders; a pair without a take is left out and named."""

from pathlib import Path

from eyelevel.batch.plan import plan
from eyelevel.batch.takes import Take

STACKS = ["TCP+", "QUIC"]


def take(stack: str, *, site: str = "garden", run: int = 1, settled_ms: float = 1000) -> Take:
    value = {
        "site": site,
        "network": {"name": "DSL"},
        "stack": {"name": stack},
        "run": run,
        "settled_ms": settled_ms,
    }
    return Take(Path(), f"{site}-{stack}-{run}", value, (0.0,))


def digests(
    *takes: Take, pairs: list[list[str]], stacks: list[str] = STACKS
) -> tuple[list[tuple[str, ...]], list[str]]:
    plans, warnings = plan(takes, pairs, stacks)
    return [tuple(t.digest for t in p.takes) for p in plans], warnings


def test_both_orders_of_a_pair_and_each_take_alone() -> None:
    made, warnings = digests(take("QUIC"), take("TCP+"), pairs=[["TCP+", "QUIC"]])
    assert made == [
        ("garden-QUIC-1",),
        ("garden-TCP+-1",),
        ("garden-TCP+-1", "garden-QUIC-1"),
        ("garden-QUIC-1", "garden-TCP+-1"),
    ]
    assert warnings == []


def test_takes_of_different_runs_and_sites_are_never_paired() -> None:
    made, warnings = digests(take("QUIC"), take("TCP+", run=2), take("TCP+", site="forest"), pairs=[["TCP+", "QUIC"]])
    assert [m for m in made if len(m) == 2] == []
    assert warnings == [
        "forest, DSL, run 1: no clip shows TCP+ beside QUIC, for there is no take of QUIC.",
        "garden, DSL, run 1: no clip shows TCP+ beside QUIC, for there is no take of TCP+.",
        "garden, DSL, run 2: no clip shows TCP+ beside QUIC, for there is no take of QUIC.",
    ]


def test_a_pair_of_stacks_that_the_campaign_does_not_have_is_no_matter() -> None:
    assert digests(take("QUIC"), pairs=[["TCP+", "QUIC"]], stacks=["QUIC"]) == ([("garden-QUIC-1",)], [])


def test_a_pair_ends_when_both_have_settled() -> None:
    plans, _ = plan([take("QUIC", settled_ms=700), take("TCP+", settled_ms=900.5)], [["TCP+", "QUIC"]], STACKS)
    assert [p.end_ms for p in plans] == [700, 900.5, 900.5, 900.5]
