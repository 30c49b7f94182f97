"""Checks that a hypothesis of the plan has all fields that a program needs to answer it."""

from collections.abc import Iterable, Iterator, Mapping

from eyelevel_core.contracts.sentences import Problem, Where, displayed
from eyelevel_core.model.metrics import METRICS
from eyelevel_core.study.asking import asks_about
from eyelevel_core.study.design import Block, Design, Hypothesis
from eyelevel_core.suggestions import did_you_mean, these
from eyelevel_kinds import KINDS

# fields that a hypothesis of each kind needs, and fields that it must not have
NEEDED = {"rate": ("pair", "networks", "expects"), "compare": ("pair", "networks", "expects"), "metrics": ("metric",)}
FIELDS = ("pair", "networks", "over", "expects", "margin", "margin_reason", "metric")
LARGEST_SHARE = 1.0


def of_hypothesis(where: Where, hypothesis: Hypothesis, design: Design) -> Iterator[Problem]:
    """Yields each problem of a hypothesis, with its place."""
    if hypothesis.kind is None:
        given = [name for name in FIELDS if getattr(hypothesis, name) is not None]
        if given and given != ["margin"]:
            says = f"has {given[0]}, but no kind; write what answers it: rate, compare or metrics."
            yield Problem(where, says, because=[(*where, "kind")])
        return
    for name in NEEDED[hypothesis.kind]:
        if getattr(hypothesis, name) is None:
            says = f"is missing; a hypothesis of kind {hypothesis.kind} needs it, so add it."
            yield Problem((*where, name), says, because=[(*where, "kind")])
    if hypothesis.kind == "metrics":
        yield from _of_metric(where, hypothesis)
    else:
        yield from _of_stacks(where, hypothesis, design)
        yield from _of_margin(where, hypothesis)


def _of_metric(where: Where, hypothesis: Hypothesis) -> Iterator[Problem]:
    names = [metric.label for metric in METRICS if metric.plain_of is None]
    if hypothesis.metric is not None and hypothesis.metric not in names:
        says = f"is {displayed(hypothesis.metric)}, but the metrics are {', '.join(names)}."
        yield Problem((*where, "metric"), says + did_you_mean(hypothesis.metric, names))
    for name in FIELDS:
        if name != "metric" and getattr(hypothesis, name) is not None:
            says = "belongs to hypotheses about stacks, and this one is about metrics; delete it."
            yield Problem((*where, name), says, because=[(*where, "kind")])


def _of_stacks(where: Where, hypothesis: Hypothesis, design: Design) -> Iterator[Problem]:
    kind = hypothesis.kind
    if hypothesis.metric is not None:
        says = f"belongs to hypotheses of kind metrics, and this one is {kind}; delete it."
        yield Problem((*where, "metric"), says, because=[(*where, "kind")])
    blocks = {number: block for number, block in enumerate(design.blocks) if block.kind == kind}
    kinds: list[Where] = [("trials", number, "kind") for number in range(len(design.blocks))]
    if not blocks:
        says = f"is {kind}, but no block of trials has this kind."
        yield Problem((*where, "kind"), says, because=kinds)
    elif hypothesis.pair is not None and not any(asks_about(block, hypothesis.pair) for block in blocks.values()):
        asked = [("trials", number, name) for number in blocks for name in ("stacks", "pairs")]
        yield Problem(
            (*where, "pair"), _unasked(hypothesis.pair, kind, blocks), because=[*kinds, *asked, (*where, "pair")]
        )
    shown_in = {network for context in design.contexts for network in context.networks}
    known = sorted(shown_in | _networks(blocks.values()))
    shown: list[Where] = [("contexts", number, "networks") for number in range(len(design.contexts))]
    for number, network in enumerate(hypothesis.over or ()):
        if network not in known:
            have = these("networks", known, whose="the study's")
            says = f"is {displayed(network)}, but {have}.{did_you_mean(network, known)}"
            yield Problem((*where, "over", number), says, because=shown)


def _unasked(pair: tuple[str, str], kind: str | None, blocks: Mapping[int, Block]) -> str:
    """Lists the stacks that the blocks ask about, and the one that was probably meant."""
    asked = {
        number: list(dict.fromkeys(stack for _, stack in KINDS[block.kind].stacks(block.kind_fields)))
        for number, block in blocks.items()
    }
    said = "; ".join(f"trials[{number}] asks about {', '.join(stacks)}" for number, stacks in asked.items())
    known = {stack for stacks in asked.values() for stack in stacks}
    meant = "".join(did_you_mean(stack, known - set(pair)) for stack in pair if stack not in known)
    return f"is {displayed(list(pair))}, but no block of kind {kind} asks about both: {said}.{meant}"


def _of_margin(where: Where, hypothesis: Hypothesis) -> Iterator[Problem]:
    if hypothesis.expects == "equivalent" and hypothesis.margin is None:
        says = "is missing; a hypothesis that expects equivalent stacks needs it: the smallest difference that matters."
        yield Problem((*where, "margin"), says, because=[(*where, "expects")])
    if hypothesis.margin is not None and hypothesis.margin_reason is None:
        says = "is missing; a margin needs it: why a smaller difference would not matter."
        yield Problem((*where, "margin_reason"), says, because=[(*where, "margin")])
    if hypothesis.kind == "compare" and hypothesis.margin is not None and hypothesis.margin >= LARGEST_SHARE:
        says = f"is {hypothesis.margin:g}, but shares differ by {LARGEST_SHARE:g} at most; lower it."
        yield Problem((*where, "margin"), says)


def _networks(blocks: Iterable[Block]) -> set[str]:
    return {network for block in blocks for network in block.networks or ()}
