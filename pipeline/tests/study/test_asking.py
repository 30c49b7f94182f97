"""On which networks the blocks of a study ask about both stacks of a pair."""

from typing import Any

import pytest

from eyelevel_core.study.asking import networks_about
from eyelevel_core.study.design import Block

SHOWN_IN = {"work": ("LTE", "DSL"), "plane": ("MSS",)}


def block(kind: str = "rate", **changed: Any) -> Block:
    values: dict[str, Any] = {"contexts": ("work", "plane"), "networks": None, "kind_fields": {}}
    return Block(**{"kind": kind, "count": 4, **values, **changed})


@pytest.mark.parametrize(
    ("blocks", "networks"),
    [
        ([block()], ("DSL", "LTE", "MSS")),
        ([block("compare")], ()),
        ([], ()),
        # only networks of the contexts of the block
        ([block(contexts=("plane",))], ("MSS",)),
        ([block(contexts=("plane",), networks=("DSL", "MSS"))], ("MSS",)),
        ([block(networks=("LTE",)), block(networks=("DSL",))], ("DSL", "LTE")),
        # a block that has both stacks
        ([block(kind_fields={"stacks": ("TCP", "QUIC")})], ()),
        ([block(kind_fields={"stacks": ("QUIC", "TCP", "TCP+")}, networks=("DSL",))], ("DSL",)),
    ],
)
def test_a_claim_about_ratings_is_about_networks_with_ratings_of_both_stacks(
    blocks: list[Block], networks: tuple[str, ...]
) -> None:
    assert networks_about(("TCP+", "QUIC"), "rate", SHOWN_IN, blocks) == networks


@pytest.mark.parametrize(
    ("blocks", "networks"),
    [
        ([block("compare", contexts=("plane",))], ("MSS",)),
        ([block()], ()),
        # both stacks are compared with a third one, not with each other
        ([block("compare", kind_fields={"pairs": (("TCP", "QUIC"), ("TCP", "TCP+"))})], ()),
        ([block("compare", kind_fields={"pairs": (("QUIC", "TCP+"),)}, networks=("DSL",))], ("DSL",)),
    ],
)
def test_a_claim_about_choices_is_about_networks_on_which_both_stacks_are_compared(
    blocks: list[Block], networks: tuple[str, ...]
) -> None:
    assert networks_about(("TCP+", "QUIC"), "compare", SHOWN_IN, blocks) == networks
