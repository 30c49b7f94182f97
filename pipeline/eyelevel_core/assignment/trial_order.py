"""Orders the trials of one session: training, contexts in turn, repeats, control videos. Pure: values and a seed."""

import random
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from eyelevel_core.assignment.cell import Cell, training_cells
from eyelevel_core.assignment.context_order import context_order
from eyelevel_core.study.design import Block, Design

T = TypeVar("T")
# trials between a trial and its repeat, if the context has as many
REPEAT_AFTER = 3


@dataclass(frozen=True)
class Entry:
    """A planned trial; `repeats_position` is the position, from 1, of the trial that it repeats."""

    stimulus: int
    role: str
    repeats_position: int | None = None


@dataclass(eq=False)
class _Item:
    cell: Cell
    role: str
    repeats: "_Item | None" = None


# the trials of one context in their order
_Segment = list[_Item]


def trial_order(
    design: Design,
    cells: Sequence[Cell],
    main: Sequence[Sequence[int]],
    *,
    identical: Sequence[int],
    turn: int,
    met: Collection[Hashable] = (),
    rng: random.Random,
) -> list[Entry]:
    """Returns the trials of a session in order; `main` has the stimuli of its assignment per block.

    `identical` is the number of identical pairs per block, `turn` the number of the assignment from 1, which decides
    the order of contexts. `met` has the settings that the participant saw in earlier sessions: none of them is shown
    as an identical pair, and none as a control video if others are left. Training clips are the same for everybody.

    Blocks come in the study's order, and contexts within a block one after the other. Consecutive blocks of one kind
    without a common context are asked as one, so that their contexts are counterbalanced too. Training comes before
    its block, control videos anywhere but first in a context.
    """
    order = context_order(design.context_keys, design.context_order, turn=turn, rng=rng)
    by_stimulus = {cell.stimulus: cell for cell in cells}
    blocks = design.blocks
    shown = [[_Item(by_stimulus[stimulus], "main") for stimulus in assignment] for assignment in main]
    fresh = [cell for cell in cells if cell.setting not in met]
    for number, count in enumerate(identical):
        shown[number] += _identical(fresh, number, count, shown[number], rng)
    phases: list[tuple[list[int], list[_Segment]]] = []
    for numbers in phases_of(blocks):
        items = [item for number in numbers for item in shown[number]]
        segments = [_shuffled((item for item in items if item.cell.context == context), rng) for context in order]
        for number in numbers:
            _repeat(segments, number, blocks[number].repeats, rng)
        phases.append((numbers, [segment for segment in segments if segment]))
    seen = {*met, *(item.cell.setting for items in shown for item in items)}
    _put_controls(phases, cells, design.controls.videos.count, seen, rng)
    planned: list[_Item] = []
    for numbers, segments in phases:
        for number in numbers:
            if shown[number]:
                follows = segments[0][0].cell.context
                planned += [_Item(cell, "training") for cell in training_cells(cells, number, follows)]
        planned += [item for segment in segments for item in segment]
    position = {item: place for place, item in enumerate(planned, start=1)}
    return [
        Entry(item.cell.stimulus, item.role, None if item.repeats is None else position[item.repeats])
        for item in planned
    ]


def phases_of(blocks: Sequence[Block]) -> list[list[int]]:
    """Numbers of the blocks that are asked as one: consecutive blocks of one kind without a common context."""
    phases: list[list[int]] = []
    for number, block in enumerate(blocks):
        last = phases[-1] if phases else []
        asked = {context for other in last for context in blocks[other].contexts}
        if last and blocks[last[0]].kind == block.kind and not asked & set(block.contexts):
            last.append(number)
        else:
            phases.append([number])
    return phases


def _identical(
    cells: Sequence[Cell], block: int, count: int, beside: Sequence[_Item], rng: random.Random
) -> list[_Item]:
    contexts = {item.cell.context for item in beside}
    offered = [cell for cell in cells if cell.block == block and cell.role == "identical"]
    rank = {cell: int(cell.context not in contexts) for cell in offered}
    return [_Item(cell, "identical") for cell in _different(offered, count, rng, worse=rank.__getitem__)]


def _repeat(segments: Sequence[_Segment], block: int, count: int, rng: random.Random) -> None:
    """Repeat `count` different main trials of the block later in their context."""
    done: set[_Item] = set()
    for _ in range(count):
        after = {
            item: len(segment) - place - 1
            for segment in segments
            for place, item in enumerate(segment)
            if item.role == "main" and item.cell.block == block and item not in done
        }
        if not after:
            return
        # short contexts leave less room: then as late as possible
        room = min(REPEAT_AFTER, max(after.values()))
        original = rng.choice([item for item, following in after.items() if following >= room])
        segment = next(segment for segment in segments if original in segment)
        place = rng.randint(segment.index(original) + room + 1, len(segment))
        segment.insert(place, _Item(original.cell, "repeat", repeats=original))
        done.add(original)


def _put_controls(
    phases: Sequence[tuple[Sequence[int], list[_Segment]]],
    cells: Sequence[Cell],
    count: int,
    seen: set[Hashable],
    rng: random.Random,
) -> None:
    """Insert `count` control videos in their contexts; one whose context is not asked comes at the end."""
    segments_of = {number: segments for numbers, segments in phases if segments for number in numbers}

    def segment_of(cell: Cell) -> _Segment | None:
        return next(
            (candidate for candidate in segments_of[cell.block] if candidate[0].cell.context == cell.context), None
        )

    offered = [cell for cell in cells if cell.role == "control" and cell.block in segments_of]
    rank = {cell: 2 * (segment_of(cell) is None) + (cell.setting in seen) for cell in offered}
    for cell in _different(offered, count, rng, worse=rank.__getitem__):
        segment = segment_of(cell)
        if segment is None:
            segments_of[cell.block].append([_Item(cell, "control")])
        else:
            segment.insert(rng.randint(1, len(segment)), _Item(cell, "control"))


def _different(offered: Iterable[Cell], count: int, rng: random.Random, *, worse: Callable[[Cell], int]) -> list[Cell]:
    """A random choice of `count` cells, of different settings if possible, preferring a low `worse`."""
    lots = sorted(_shuffled(offered, rng), key=worse)
    settings: set[Hashable] = set()
    first: list[Cell] = []
    rest: list[Cell] = []
    for cell in lots:
        (rest if cell.setting in settings else first).append(cell)
        settings.add(cell.setting)
    clips: set[Hashable] = set()
    picked: list[Cell] = []
    for cell in first + rest:
        if len(picked) < count and cell.clip not in clips:
            picked.append(cell)
            clips.add(cell.clip)
    return picked


def _shuffled(items: Iterable[T], rng: random.Random) -> list[T]:
    lots = list(items)
    rng.shuffle(lots)
    return lots
