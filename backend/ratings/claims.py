"""Claims what a new session votes on: an assignment of quota slots, or what is left of several.

`claim` chooses, and takes what it chose in the transaction of its caller. Trials are written by `ratings.plans`.
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
    """The share of a new session, taken; raises Problem 409 `not_open` or 429 `busy`.

    A free assignment takes the same time for every quota and waits for nobody; only where none is free, and for a
    simulated session, which takes none, the fielding's row is locked.
    """
    if simulated:
        return _simulated(beginning)
    return _whole_assignment(beginning) or _under_lock(beginning)


def not_open() -> Problem:
    return Problem(409, "not_open", "This study accepts no participants at the moment.")


def _free_assignments(beginning: Beginning) -> QuerySet[Assignment]:
    """Without a stimulus that the participant has met, by number."""
    free = Assignment.objects.filter(fielding=beginning.fielding, is_free=True).order_by("number")
    if not beginning.old:
        return free
    of = Slot.objects.filter(fielding=beginning.fielding, assignment=OuterRef("number"), stimulus__in=beginning.old)
    return free.exclude(Exists(of))


def _whole_assignment(beginning: Beginning) -> Share | None:
    """The first free assignment; None if there is none.

    The order is that of the numbers, but for assignments that sessions beginning at the same moment are taking, or
    giving up because they fail.
    """
    found = _free_assignments(beginning).select_for_update(skip_locked=True, no_key=True).first()
    if found is None:
        return None
    found.is_free, found.times_given = False, found.times_given + 1
    found.save(update_fields=["is_free", "times_given"])
    held = list(_of_assignment(beginning.fielding, found.number).filter(state=SlotState.OPEN))
    Slot.objects.filter(pk__in=[slot.pk for slot in held]).update(state=SlotState.ASSIGNED)
    share = _share_of(beginning, held, number=found.number, times=found.times_given)
    return replace(share, slots=held)


def _simulated(beginning: Beginning) -> Share:
    """What a person with this number would vote on, while the quota slots stay as they are.

    Simulated sessions follow the assignments in the order of their numbers, and begin again after the last one. They
    are numbered apart from people, under the fielding's lock.
    """
    locked = slots.lock(beginning.fielding.pk)
    rounds, place = divmod(locked.sessions_simulated, locked.quota_sessions)
    locked.sessions_simulated += 1
    locked.save(update_fields=["sessions_simulated"])
    share = _share_of(beginning, list(_of_assignment(locked, place + 1)), number=place + 1, times=rounds + 1)
    return replace(share, seen_before=any(stimulus in beginning.old for own in share.main for stimulus in own))


def _under_lock(beginning: Beginning) -> Share:
    """What a session gets where no assignment was free a moment ago."""
    beginning = replace(beginning, fielding=slots.lock(beginning.fielding.pk))
    was_open = _has_open_slot(beginning.fielding)
    if not was_open:
        rate_limit.make_room(beginning.fielding, now=timezone.now())
    # others may have returned one before the lock was ours
    share = _whole_assignment(beginning)
    if share is not None:
        return share
    if not _has_open_slot(beginning.fielding):
        # the last ones may have just been taken, by sessions that can still yield them
        raise rate_limit.busy(timedelta()) if was_open else not_open()
    if _free_assignments(beginning).exists():
        # somebody who begins at this moment is taking the last ones; if they fail, one is free
        raise rate_limit.busy(timedelta())
    share = _left_over(beginning)
    if not share.slots and (not beginning.met or not _has_open_slot(beginning.fielding)):
        # the last ones went to somebody else meanwhile; nobody is left out for that
        raise rate_limit.busy(timedelta())
    return share


def _left_over(beginning: Beginning) -> Share:
    """What is wanted where no whole assignment is free; the fielding must be locked and have open slots.

    Each block contributes open slots, and a block without open slots is skipped. Nobody is asked about a setting that
    they have met; if nothing else is open, the session takes part without slots, to be left out from the start.
    """
    fielding, design = beginning.fielding, beginning.design
    fielding.sessions_without_assignment += 1
    fielding.save(update_fields=["sessions_without_assignment"])
    number = fielding.session_number(assignment=0, times=fielding.sessions_without_assignment)
    # apart from the generator of the order, so that the order follows from the number and the stimuli alone
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
    """The open slots of one block of the first assignment that has all of them, none met; empty if there is none."""
    fits = Q(state=SlotState.OPEN) & ~Q(stimulus__in=beginning.old)
    return slots.first_assignment(slots.of_block(beginning.fielding, block), fits=fits)


def _loose(beginning: Beginning, block: int, rng: random.Random) -> list[Slot]:
    """Open slots of partly taken assignments of the block, each of a different setting, as many as the block asks."""
    fielding = beginning.fielding
    free = {slot.stimulus_id: slot for slot in reversed(slots.loose(fielding, block))}
    fresh = main_cells([cell for cell in beginning.cells if cell.setting not in beginning.met], block)
    wanted = [cell for cell in fresh if cell.stimulus in free]
    count = beginning.design.blocks[block].count
    return [free[stimulus] for stimulus in leftovers(wanted, _demands(fielding, block), count, rng=rng)]


def _demands(fielding: Fielding, block: int) -> dict[int, Demand]:
    """Open and taken slots per stimulus of the block."""
    found: dict[int, Demand] = {}
    per_stimulus = slots.of_block(fielding, block).values_list("stimulus_id", "state")
    for stimulus, state, count in per_stimulus.annotate(Count("pk")):
        demand = found.setdefault(stimulus, Demand())
        if state == SlotState.OPEN:
            demand.open += count
        else:
            demand.taken += count
    return found


def _share_of(beginning: Beginning, of: Sequence[Slot], *, number: int, times: int) -> Share:
    """The share of a session that votes on the stimuli of these slots, those of a whole assignment; it holds none."""
    main = _by_block(beginning, of)
    return Share(
        number=beginning.fielding.session_number(assignment=number, times=times),
        turn=number,
        slots=(),
        main=main,
        # identical pairs fill the difference between a block's `count` and the size of its assignment
        identical=[block.count - len(own) for block, own in zip(beginning.design.blocks, main, strict=True)],
    )


def _by_block(beginning: Beginning, held: Sequence[Slot]) -> list[list[int]]:
    return [
        [slot.stimulus_id for slot in held if slot.stimulus.block == n] for n in range(len(beginning.design.blocks))
    ]


def _of_assignment(fielding: Fielding, number: int) -> QuerySet[Slot]:
    own = Slot.objects.filter(fielding=fielding, assignment=number)
    return own.select_related("stimulus").order_by("stimulus__block", "pk")


def _has_open_slot(fielding: Fielding) -> bool:
    return Slot.objects.filter(fielding=fielding, state=SlotState.OPEN).exists()
