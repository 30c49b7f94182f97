"""A session's plan: assigns quota slots to it and writes the trials."""

import random
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence

from django.db.models import Q

from eyelevel_core.assignment.allocation import Demand, generator, identical_counts, leftovers
from eyelevel_core.assignment.cell import Cell, main_cells
from eyelevel_core.assignment.trial_order import Entry, trial_order
from eyelevel_core.study.design import Block, Design
from eyelevel_kinds import KINDS
from ratings import slots
from ratings.models import Exclusion, Session, Trial
from studies.models import Fielding, Slot, SlotState

# the rule that leaves out a session whose participant has seen all stimuli that are still open
SEEN_BEFORE = "seen_before"


def plan_session(session: Session, design: Design, cells: Sequence[Cell]) -> None:
    """Give the session an assignment and write its trials; the fielding must be locked and have open slots.

    If no assignment is free as a whole, each block contributes open slots, and a block without open slots is skipped.
    Nobody is asked about a setting that they saw in an earlier session; if nothing else is open, the session takes
    part without slots and is left out from the start.
    """
    if session.number is None:
        raise ValueError("a preview has no number and no assignment")
    fielding = session.fielding
    rng = generator(seed=design.seed, fielding=fielding.slug, number=session.number)
    met = _met(session, cells)
    fresh = [cell for cell in cells if cell.setting not in met]
    held, identical = _wanted(fielding, design.blocks, cells, fresh, rng)
    if held:
        main = [[slot.stimulus_id for slot in held if slot.stimulus.block == n] for n in range(len(design.blocks))]
        Slot.objects.filter(pk__in=[slot.pk for slot in held]).update(state=SlotState.ASSIGNED)
    else:
        main, identical = without_slots(design.blocks, cells, rng)
        Exclusion.objects.create(session=session, rule=SEEN_BEFORE)
    # the counterbalanced order belongs to the assignment, whichever session fills it in the end
    turn = next((slot.assignment for slot in held if slot.assignment is not None), session.number)
    entries = trial_order(design, cells, main, identical=identical, turn=turn, met=met, rng=rng)
    kinds = {cell.stimulus: design.blocks[cell.block].kind for cell in cells}
    write(session, entries, {slot.stimulus_id: slot for slot in held}, kinds)


def without_slots(
    blocks: Sequence[Block], cells: Sequence[Cell], rng: random.Random
) -> tuple[list[list[int]], list[int]]:
    """Stimuli and number of identical pairs per block for a session without quota slots."""
    identical = [identical_counts(block.identical, count=block.count, sessions=1, rng=rng)[0] for block in blocks]
    main = []
    for number, block in enumerate(blocks):
        own = main_cells(cells, number)
        demands = {cell.stimulus: Demand() for cell in own}
        main.append(leftovers(own, demands, block.count - identical[number], rng=rng))
    return main, identical


def _met(session: Session, cells: Sequence[Cell]) -> set[Hashable]:
    """Settings that the participant has played or answered in earlier sessions of the study."""
    earlier = Trial.objects.filter(
        Q(plays__isnull=False) | Q(vote__isnull=False),
        session__participant=session.participant_id,
        session__fielding__study=session.fielding.study_id,
    )
    stimuli = set(earlier.values_list("stimulus_id", flat=True))
    return {cell.setting for cell in cells if cell.stimulus in stimuli}


def _wanted(
    fielding: Fielding,
    blocks: Sequence[Block],
    cells: Sequence[Cell],
    fresh: Sequence[Cell],
    rng: random.Random,
) -> tuple[list[Slot], list[int]]:
    """Free slots of unseen cells for one session, and the number of identical pairs in each block.

    Identical pairs fill the difference between a block's `count` and the size of its assignment.
    """
    old = {cell.stimulus for cell in cells} - {cell.stimulus for cell in fresh}
    whole = slots.free_assignment(fielding, avoiding=old)
    if whole:
        shown = Counter(slot.stimulus.block for slot in whole)
        return whole, [block.count - shown[number] for number, block in enumerate(blocks)]
    held: list[Slot] = []
    identical = [0] * len(blocks)
    for number, block in enumerate(blocks):
        assignment = slots.free_assignment(fielding, avoiding=old, block=number)
        if assignment:
            identical[number] = block.count - len(assignment)
        held += assignment or _loose(fielding, number, main_cells(fresh, number), block.count, rng=rng)
    return held, identical


def _loose(fielding: Fielding, block: int, cells: Sequence[Cell], count: int, *, rng: random.Random) -> list[Slot]:
    """Up to `count` open slots of partly taken assignments of the block, each of a different setting."""
    free = {slot.stimulus_id: slot for slot in reversed(slots.loose(fielding, block))}
    wanted = [cell for cell in cells if cell.stimulus in free]
    return [free[stimulus] for stimulus in leftovers(wanted, slots.demands(fielding, block), count, rng=rng)]


def write(session: Session, entries: Sequence[Entry], held: Mapping[int, Slot], kinds: Mapping[int, str]) -> None:
    Trial.objects.bulk_create(
        Trial(
            session=session,
            position=position,
            stimulus_id=entry.stimulus,
            slot=held.get(entry.stimulus) if entry.role == "main" else None,
            role=entry.role,
            repeats_position=entry.repeats_position,
            kind=kinds[entry.stimulus],
            kind_version=KINDS[kinds[entry.stimulus]].version,
        )
        for position, entry in enumerate(entries, start=1)
    )
