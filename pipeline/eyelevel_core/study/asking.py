"""Finds the blocks of a study that ask about both stacks of a pair, and their networks."""

from collections.abc import Iterable, Mapping

from eyelevel_core.study.design import Block


def asks_about(block: Block, pair: tuple[str, str]) -> bool:
    """Whether the block asks participants to compare both stacks, or to rate both."""
    if block.kind == "compare":
        pairs: Iterable[Iterable[str]] | None = block.kind_fields.get("pairs")
        return pairs is None or any(set(shown) == set(pair) for shown in pairs)
    stacks: Iterable[str] | None = block.kind_fields.get("stacks")
    return stacks is None or set(pair) <= set(stacks)


def networks_about(
    pair: tuple[str, str], kind: str | None, shown_in: Mapping[str, Iterable[str]], blocks: Iterable[Block]
) -> tuple[str, ...]:
    """Returns the networks, sorted, on which blocks of this kind ask about the pair; `shown_in` has them by context."""
    networks: set[str] = set()
    for block in blocks:
        if block.kind == kind and asks_about(block, pair):
            of_contexts = {network for key in block.contexts for network in shown_in.get(key, ())}
            networks |= of_contexts if block.networks is None else of_contexts & set(block.networks)
    return tuple(sorted(networks))
