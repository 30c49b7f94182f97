"""What a hypothesis of the plan lacks, so that a program could answer it."""

from collections.abc import Iterable, Iterator

from eyelevel_core.contracts.check import Where
from eyelevel_core.model.metrics import METRICS
from eyelevel_core.study.asking import asks_about
from eyelevel_core.study.design import Block, Design, Hypothesis

# what a hypothesis of each kind needs, and what it has no use for
NEEDED = {"rate": ("pair", "networks", "expects"), "compare": ("pair", "networks", "expects"), "metrics": ("metric",)}
FIELDS = ("pair", "networks", "over", "expects", "margin", "margin_reason", "metric")
LARGEST_SHARE = 1.0


def of_hypothesis(where: Where, hypothesis: Hypothesis, design: Design) -> Iterator[tuple[Where, str]]:
    """Each problem, with its place."""
    if hypothesis.kind is None:
        given = [name for name in FIELDS if getattr(hypothesis, name) is not None]
        if given and given != ["margin"]:
            yield where, f"has {given[0]}, but no kind; write what answers it: rate, compare or metrics."
        return
    for name in NEEDED[hypothesis.kind]:
        if getattr(hypothesis, name) is None:
            yield where, f"is answered by {hypothesis.kind} and needs {name}; add it."
    if hypothesis.kind == "metrics":
        yield from _of_metric(where, hypothesis)
    else:
        yield from _of_stacks(where, hypothesis, design)


def _of_metric(where: Where, hypothesis: Hypothesis) -> Iterator[tuple[Where, str]]:
    names = [metric.label for metric in METRICS if metric.plain_of is None]
    if hypothesis.metric is not None and hypothesis.metric not in names:
        yield (*where, "metric"), f"is {hypothesis.metric}, but the metrics are {', '.join(names)}."
    for name in FIELDS:
        if name != "metric" and getattr(hypothesis, name) is not None:
            yield (*where, name), "belongs to hypotheses about stacks, and this one is about metrics; delete it."


def _of_stacks(where: Where, hypothesis: Hypothesis, design: Design) -> Iterator[tuple[Where, str]]:
    if hypothesis.metric is not None:
        yield (
            (*where, "metric"),
            f"belongs to hypotheses of kind metrics, and this one is {hypothesis.kind}; delete it.",
        )
    blocks = [block for block in design.blocks if block.kind == hypothesis.kind]
    if not blocks:
        yield (*where, "kind"), f"is {hypothesis.kind}, but no block of trials has this kind."
    elif hypothesis.pair is not None and not any(asks_about(block, hypothesis.pair) for block in blocks):
        one, other = hypothesis.pair
        yield (*where, "pair"), f"is {one} and {other}, but no block of kind {hypothesis.kind} asks about both."
    known = sorted({network for context in design.contexts for network in context.networks} | _networks(blocks))
    for number, network in enumerate(hypothesis.over or ()):
        if network not in known:
            yield (*where, "over", number), f"is {network}, but the study's networks are {', '.join(known)}."
    if hypothesis.expects == "equivalent" and hypothesis.margin is None:
        yield where, "expects equivalent stacks and needs a margin: the smallest difference that matters; add it."
    if hypothesis.margin is not None and hypothesis.margin_reason is None:
        yield where, "has a margin and needs a margin_reason: why a smaller difference would not matter; add it."
    if hypothesis.kind == "compare" and hypothesis.margin is not None and hypothesis.margin >= LARGEST_SHARE:
        yield (*where, "margin"), f"is {hypothesis.margin:g}, but shares differ by {LARGEST_SHARE:g} at most; lower it."


def _networks(blocks: Iterable[Block]) -> set[str]:
    return {network for block in blocks for network in block.networks or ()}
