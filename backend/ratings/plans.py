"""A session's plan: assigns quota slots to it and writes the trials."""

import random
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q

from eyelevel_core.assignment.allocation import Demand, generator, identical_counts, leftovers
from eyelevel_core.assignment.cell import Cell, main_cells
from eyelevel_core.assignment.trial_order import Entry, trial_order
from eyelevel_core.study.design import Block, Design
from eyelevel_kinds import KINDS
from ratings import slots
from ratings.models import Exclusion, Participant, Session, Trial
from studies.models import Fielding, Slot

# the rule that leaves out a session whose participant has seen all stimuli that are still open
SEEN_BEFORE = "seen_before"


@dataclass(frozen=True)
class Share:
    """What a new session votes on: its quota slots, its stimuli and number of identical pairs per block.

    `number` is the session's number, `turn` that of the assignment, to which the counterbalanced order belongs,
    whichever session fills it in the end.
    """

    number: int
    turn: int
    slots: Sequence[Slot]
    main: Sequence[Sequence[int]]
    identical: Sequence[int]
    # the participant has met a setting that is asked again: the session is left out from the start
    seen_before: bool = False


def whole_assignment(
    fielding: Fielding, design: Design, cells: Sequence[Cell], met: Collection[Hashable]
) -> Share | None:
    """The first free assignment without a setting that the participant has met; None if there is none."""
    claimed = slots.claim(fielding, avoiding=_old(cells, met))
    if claimed is None:
        return None
    assignment, held = claimed
    main = _by_block(design, held)
    return Share(
        number=fielding.session_number(assignment=assignment.number, times=assignment.times_given),
        turn=assignment.number,
        slots=held,
        main=main,
        # identical pairs fill the difference between a block's `count` and the size of its assignment
        identical=[block.count - len(own) for block, own in zip(design.blocks, main, strict=True)],
    )


def simulated(fielding: Fielding, design: Design, cells: Sequence[Cell], met: Collection[Hashable]) -> Share:
    """What a simulated session votes on: what a person with its number would, while the quota slots stay as they are.

    Simulated sessions follow the assignments in the order of their numbers, and begin again after the last one. They
    are numbered apart from people, under the fielding's lock.
    """
    locked = slots.lock(fielding.pk)
    rounds, place = divmod(locked.sessions_simulated, locked.quota_sessions)
    locked.sessions_simulated += 1
    locked.save(update_fields=["sessions_simulated"])
    of = Slot.objects.filter(fielding=locked, assignment=place + 1).select_related("stimulus")
    main = _by_block(design, list(of.order_by("stimulus__block", "pk")))
    old = _old(cells, met)
    return Share(
        number=locked.session_number(assignment=place + 1, times=rounds + 1),
        turn=place + 1,
        slots=(),
        main=main,
        identical=[block.count - len(own) for block, own in zip(design.blocks, main, strict=True)],
        seen_before=any(stimulus in old for own in main for stimulus in own),
    )


def is_being_claimed(fielding: Fielding, cells: Sequence[Cell], met: Collection[Hashable]) -> bool:
    """Whether there are free assignments for this participant, though `whole_assignment` found all of them locked."""
    return slots.free_assignments(fielding, avoiding=_old(cells, met)).exists()


def left_over(fielding: Fielding, design: Design, cells: Sequence[Cell], met: Collection[Hashable]) -> Share:
    """What is wanted where no whole assignment is free; the fielding must be locked and have open slots.

    Each block contributes open slots, and a block without open slots is skipped. Nobody is asked about a setting that
    they have met; if nothing else is open, the session takes part without slots, to be left out from the start.
    """
    fielding.sessions_without_assignment += 1
    fielding.save(update_fields=["sessions_without_assignment"])
    number = fielding.session_number(assignment=0, times=fielding.sessions_without_assignment)
    # apart from the generator of the order, so that the order follows from the number and the stimuli alone
    rng = generator(seed=design.seed, fielding=f"{fielding.slug}/left over", number=number)
    held, identical = _wanted(fielding, design.blocks, cells, met, rng)
    slots.take(held)
    main = _by_block(design, held)
    if not held:
        main, identical = without_slots(design.blocks, cells, rng)
    turn = next((slot.assignment for slot in held if slot.assignment is not None), number)
    return Share(number=number, turn=turn, slots=held, main=main, identical=identical, seen_before=not held)


def write_plan(
    session: Session, share: Share, design: Design, cells: Sequence[Cell], met: Collection[Hashable]
) -> None:
    """Write the session's trials; a session whose participant has seen what it asks is left out."""
    if share.seen_before:
        Exclusion.objects.create(session=session, rule=SEEN_BEFORE)
    entries = plan(session.fielding, share, design, cells, met)
    kinds = {cell.stimulus: design.blocks[cell.block].kind for cell in cells}
    write(session, entries, {slot.stimulus_id: slot for slot in share.slots}, kinds)


def plan(
    fielding: Fielding, share: Share, design: Design, cells: Sequence[Cell], met: Collection[Hashable]
) -> list[Entry]:
    """The trials of a session; the same number, share and settings met give the same ones."""
    rng = generator(seed=design.seed, fielding=fielding.slug, number=share.number)
    main = [sorted(own) for own in share.main]
    return trial_order(design, cells, main, identical=share.identical, turn=share.turn, met=met, rng=rng)


def _old(cells: Sequence[Cell], met: Collection[Hashable]) -> set[int]:
    return {cell.stimulus for cell in cells if cell.setting in met}


def _by_block(design: Design, held: Sequence[Slot]) -> list[list[int]]:
    return [[slot.stimulus_id for slot in held if slot.stimulus.block == n] for n in range(len(design.blocks))]


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


def settings_met(participant: Participant, study_sha256: str, cells: Sequence[Cell]) -> set[Hashable]:
    """Settings that the participant has played or answered in earlier sessions of the study."""
    earlier = Trial.objects.filter(
        Q(plays__isnull=False) | Q(vote__isnull=False),
        session__participant=participant,
        session__fielding__study=study_sha256,
    )
    stimuli = set(earlier.values_list("stimulus_id", flat=True))
    return {cell.setting for cell in cells if cell.stimulus in stimuli}


def _wanted(
    fielding: Fielding, blocks: Sequence[Block], cells: Sequence[Cell], met: Collection[Hashable], rng: random.Random
) -> tuple[list[Slot], list[int]]:
    """Open slots of settings not met, and the number of identical pairs in each block."""
    fresh = [cell for cell in cells if cell.setting not in met]
    old = _old(cells, met)
    held: list[Slot] = []
    identical = [0] * len(blocks)
    for number, block in enumerate(blocks):
        part = slots.part_of_assignment(fielding, number, avoiding=old)
        if part:
            identical[number] = block.count - len(part)
        held += part or _loose(fielding, number, main_cells(fresh, number), block.count, rng=rng)
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
