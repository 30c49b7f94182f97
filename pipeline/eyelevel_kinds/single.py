"""Code shared by trial kinds that show one film at a time: a block can restrict its stacks."""

from collections.abc import Iterable, Sequence

from eyelevel_kinds.shape import Block, Where


def chooses(block: Block, stacks: Sequence[str]) -> bool:
    return "stacks" not in block or stacks[0] in block["stacks"]


def named_stacks(block: Block) -> Iterable[tuple[Where, str]]:
    return ((("stacks", place), stack) for place, stack in enumerate(block.get("stacks", [])))
