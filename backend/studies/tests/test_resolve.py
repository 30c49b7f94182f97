"""A selection gives its clips, or a sentence that names the field."""

import itertools
from typing import Any

import pytest

from studies.resolve import Candidate, SelectionError, resolve
from testing.studies import design


def clips(*, orders: int = 2) -> list[Candidate]:
    """Two sites over DSL, LTE and MSS: both stacks by themselves, and side by side in so many orders."""
    made = []
    for number, (site, network) in enumerate(itertools.product(("alpha", "beta"), ("DSL", "LTE", "MSS"))):
        shown: list[tuple[str, ...]] = [("TCP+",), ("QUIC",), ("TCP+", "QUIC"), ("QUIC", "TCP+")]
        for stacks in shown[: 2 + orders]:
            kind = "single" if len(stacks) == 1 else "pair"
            made.append(Candidate(f"{number}{stacks}", kind, site, network, 1, stacks, 1000.0))
    return made


def chosen(block: dict[str, Any], **changes: Any) -> set[tuple[str, str, str, tuple[str, ...]]]:
    found = resolve(design(trials=[block], **changes), clips())
    return {(item.context, item.clip.site, item.clip.network, item.clip.stacks) for item in found}


def test_all_clips_of_the_contexts_networks_by_default() -> None:
    assert chosen({"kind": "rate", "count": 1}) == {
        ("work", site, network, (stack,))
        for site, network, stack in itertools.product(("alpha", "beta"), ("DSL", "LTE"), ("TCP+", "QUIC"))
    }


def test_sites_networks_and_stacks_narrow_the_choice() -> None:
    block = {"kind": "rate", "count": 1, "sites": ["beta"], "networks": ["LTE"], "stacks": ["QUIC"]}
    assert chosen(block) == {("work", "beta", "LTE", ("QUIC",))}


def test_a_pair_comes_in_both_orders() -> None:
    block = {"kind": "compare", "count": 1, "sites": ["beta"], "networks": ["DSL"], "pairs": [["QUIC", "TCP+"]]}
    assert chosen(block) == {("work", "beta", "DSL", ("TCP+", "QUIC")), ("work", "beta", "DSL", ("QUIC", "TCP+"))}


def test_each_context_has_its_own_networks() -> None:
    label = {"en": "x", "de": "x"}
    contexts = [
        {"key": "home", "label": label, "networks": ["DSL"]},
        {"key": "plane", "label": label, "networks": ["MSS", "DSL"]},
    ]
    block = {"kind": "rate", "count": 1, "stacks": ["QUIC"], "sites": ["alpha"]}
    assert {(context, network) for context, _, network, _ in chosen(block, contexts=contexts)} == {
        ("home", "DSL"),
        ("plane", "DSL"),
        ("plane", "MSS"),
    }


@pytest.mark.parametrize(
    ("block", "where", "sentence"),
    [
        ({"sites": ["gamma"]}, ("sites", 0), "names gamma, but the batch has only the sites alpha, beta"),
        ({"networks": ["DSL", "2G"]}, ("networks", 1), "names 2G, but the batch has only the networks DSL, LTE, MSS"),
        ({"stacks": ["TCP"]}, ("stacks", 0), "names TCP, but the batch has only the stacks QUIC, TCP\\+"),
        ({"networks": ["MSS"]}, (), "matches no clip of the batch in any context"),
        ({"count": 9}, ("count",), "count is 9, but only 8 different clips match"),
        ({"kind": "compare", "count": 5}, ("count",), "count is 5, but only 4 different pairs match"),
        ({"kind": "compare", "pairs": [["QUIC", "X"]]}, ("pairs", 0), "names X, but the batch has only the stacks"),
    ],
)
def test_a_selection_that_cannot_be_names_its_field(
    block: dict[str, Any], where: tuple[Any, ...], sentence: str
) -> None:
    with pytest.raises(SelectionError, match=sentence) as caught:
        chosen({"kind": "rate", "count": 1} | block)
    assert caught.value.where == ("trials", 0, *where)


def test_a_pair_without_its_other_order_is_refused() -> None:
    with pytest.raises(SelectionError, match="but the batch does not have each order of it once"):
        resolve(design(trials=[{"kind": "compare", "count": 1}]), clips(orders=1))


def test_two_blocks_may_not_show_the_same_clip() -> None:
    trials = [{"kind": "rate", "count": 1, "sites": ["alpha"]}, {"kind": "rate", "count": 1}]
    with pytest.raises(SelectionError, match=r"trials\[1\] and trials\[0\] both choose alpha over DSL") as caught:
        resolve(design(trials=trials), clips())
    assert caught.value.where == ("trials", 1)


def test_a_context_that_nothing_is_shown_in_is_refused() -> None:
    label = {"en": "x", "de": "x"}
    contexts = [
        {"key": "home", "label": label, "networks": ["DSL"]},
        {"key": "moon", "label": label, "networks": ["2G"]},
    ]
    with pytest.raises(SelectionError, match=r"contexts\[1\] \(moon\) matches no clip of the batch") as caught:
        resolve(design(trials=[{"kind": "rate", "count": 1}], contexts=contexts), clips())
    assert caught.value.where == ("contexts", 1, "networks")
