"""Claims the share of a new session: an assignment of quota slots, or left-over slots of several assignments.

`claim` chooses a share and takes it in the caller's transaction. `ratings.plans` writes the trials.
"""

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from eyelevel_core.assignment.allocation import Demand, generator, leftovers
from eyelevel_core.assignment.cell import main_cells
from lib.problems import Problem
from ratings import rate_limit, slots
from ratings.plans import Beginning, Share, without_slots
from studies.models import Assignment, Fielding, Slot, SlotState


def claim(beginning: Beginning, *, simulated: bool) -> Share:
    """Take the share of a new session; raises Problem 409 `not_open` or 429 `busy`.

    Taking a free assignment does not wait for other sessions, and its time does not depend on the quota. The fielding's
    row is locked only if no assignment is free, and for simulated sessions, which take none.
    """
    if simulated:
        return _simulated(beginning)
    return _whole_assignment(beginning) or _under_lock(beginning)


def not_open() -> Problem:
    return Problem(409, "not_open", "This study accepts no participants at the moment.")


def _free_assignments(beginning: Beginning) -> QuerySet[Assignment]:
    """Free assignments without a stimulus that the participant has met, ordered by number."""
    free = Assignment.objects.filter(fielding=beginning.fielding, is_free=True).order_by("number")
    if not beginning.old:
        return free
    of = Slot.objects.filter(fielding=beginning.fielding, assignment=OuterRef("number"), stimulus__in=beginning.old)
    return free.exclude(Exists(of))


def _whole_assignment(beginning: Beginning) -> Share | None:
    """Take the first free assignment; None if there is none.

    Assignments are taken in the order of their numbers, except for those that concurrent sessions are taking, or are
    releasing because they fail.
    """
    assignment = _free_assignments(beginning).select_for_update(skip_locked=True, no_key=True).first()
    if assignment is None:
        return None
    assignment.is_free, assignment.times_given = False, assignment.times_given + 1
    assignment.save(update_fields=["is_free", "times_given"])
    held = list(_of_assignment(beginning.fielding, assignment.number).filter(state=SlotState.OPEN))
    Slot.objects.filter(pk__in=[slot.pk for slot in held]).update(state=SlotState.ASSIGNED)
    share = _share_of(beginning, held, number=assignment.number, times=assignment.times_given)
    return replace(share, slots=held)


def _simulated(beginning: Beginning) -> Share:
    """The share that a person with this number would get, without taking quota slots.

    Simulated sessions use the assignments in the order of their numbers, and start over after the last one. They are
    numbered separately from people, under the fielding's lock.
    """
    locked = slots.lock(beginning.fielding.pk)
    rounds, place = divmod(locked.sessions_simulated, locked.quota_sessions)
    locked.sessions_simulated += 1
    locked.save(update_fields=["sessions_simulated"])
    share = _share_of(beginning, list(_of_assignment(locked, place + 1)), number=place + 1, times=rounds + 1)
    return replace(share, seen_before=any(stimulus in beginning.old for block in share.main for stimulus in block))


def _under_lock(beginning: Beginning) -> Share:
    """Take the share of a session under the fielding's lock, after no assignment was free."""
    beginning = replace(beginning, fielding=slots.lock(beginning.fielding.pk))
    was_open = _has_open_slot(beginning.fielding)
    if not was_open:
        rate_limit.make_room(beginning.fielding, now=timezone.now())
    # an assignment may have been released before the lock was acquired
    share = _whole_assignment(beginning)
    if share is not None:
        return share
    if not _has_open_slot(beginning.fielding):
        # the last slots may have just been taken by sessions that may still yield them
        raise rate_limit.busy(timedelta()) if was_open else not_open()
    if _free_assignments(beginning).exists():
        # a concurrent session is taking the last assignments; if it fails, one is free again
        raise rate_limit.busy(timedelta())
    share = _left_over(beginning)
    if not share.slots and (not beginning.met or not _has_open_slot(beginning.fielding)):
        # another session took the last slots meanwhile, which is no reason for an exclusion
        raise rate_limit.busy(timedelta())
    return share


def _left_over(beginning: Beginning) -> Share:
    """Take left-over slots if no whole assignment is free; the fielding must be locked and have open slots.

    Each block contributes open slots, and a block without open slots is skipped. Settings that the participant has met
    are not asked again; if no other slot is open, the session gets no slots and is excluded from the start.
    """
    fielding, design = beginning.fielding, beginning.design
    fielding.sessions_without_assignment += 1
    fielding.save(update_fields=["sessions_without_assignment"])
    number = fielding.session_number(assignment=0, times=fielding.sessions_without_assignment)
    # separate from the generator of the order, so that the order depends only on the number and the stimuli
    rng = generator(seed=design.seed, fielding=f"{fielding.slug}/left over", number=number)
    held: list[Slot] = []
    identical = [0] * len(design.blocks)
    for place, block in enumerate(design.blocks):
        part = _part_of_assignment(beginning, place)
        if part:
            identical[place] = block.count - len(part)
        held += part or _loose(beginning, place, rng)
    if not held:
        main, identical = without_slots(design.blocks, beginning.cells, rng)
        return Share(number=number, turn=number, slots=(), main=main, identical=identical, seen_before=True)
    slots.take(held)
    turn = next((slot.assignment for slot in held if slot.assignment is not None), number)
    return Share(number=number, turn=turn, slots=held, main=_by_block(beginning, held), identical=identical)


def _part_of_assignment(beginning: Beginning, block: int) -> list[Slot]:
    """The slots of one block of the first assignment of which all are open and none was met; may be empty."""
    fits = Q(state=SlotState.OPEN) & ~Q(stimulus__in=beginning.old)
    return slots.first_assignment(slots.of_block(beginning.fielding, block), fits=fits)


def _loose(beginning: Beginning, block: int, rng: random.Random) -> list[Slot]:
    """Open slots of partly taken assignments of the block, each of a different setting, up to the block's count."""
    fielding = beginning.fielding
    free = {slot.stimulus_id: slot for slot in reversed(slots.loose(fielding, block))}
    fresh = main_cells([cell for cell in beginning.cells if cell.setting not in beginning.met], block)
    wanted = [cell for cell in fresh if cell.stimulus in free]
    count = beginning.design.blocks[block].count
    return [free[stimulus] for stimulus in leftovers(wanted, _demands(fielding, block), count, rng=rng)]


def _demands(fielding: Fielding, block: int) -> dict[int, Demand]:
    """Numbers of open and taken slots per stimulus of the block."""
    demands: dict[int, Demand] = {}
    per_stimulus = slots.of_block(fielding, block).values_list("stimulus_id", "state")
    for stimulus, state, count in per_stimulus.annotate(Count("pk")):
        demand = demands.setdefault(stimulus, Demand())
        if state == SlotState.OPEN:
            demand.open += count
        else:
            demand.taken += count
    return demands


def _share_of(beginning: Beginning, of: Sequence[Slot], *, number: int, times: int) -> Share:
    """The share of a session on the stimuli of these slots, which are a whole assignment; the share has no slots."""
    main = _by_block(beginning, of)
    return Share(
        number=beginning.fielding.session_number(assignment=number, times=times),
        turn=number,
        slots=(),
        main=main,
        # identical pairs fill the difference between a block's `count` and the size of its assignment
        identical=[block.count - len(stimuli) for block, stimuli in zip(beginning.design.blocks, main, strict=True)],
    )


def _by_block(beginning: Beginning, held: Sequence[Slot]) -> list[list[int]]:
    return [
        [slot.stimulus_id for slot in held if slot.stimulus.block == n] for n in range(len(beginning.design.blocks))
    ]


def _of_assignment(fielding: Fielding, number: int) -> QuerySet[Slot]:
    slots_of = Slot.objects.filter(fielding=fielding, assignment=number)
    return slots_of.select_related("stimulus").order_by("stimulus__block", "pk")


def _has_open_slot(fielding: Fielding) -> bool:
    return Slot.objects.filter(fielding=fielding, state=SlotState.OPEN).exists()
