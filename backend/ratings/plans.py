"""A session's plan, out of the database and into it: seats are claimed, and trials are written."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from eyelevel_kinds import KINDS
from ratings import slots
from ratings.models import Session, Trial
from studies.allocation import Cell, Standing, generator, identical_counts, leftovers
from studies.arrange import Entry, arrange
from studies.fieldings import main_cells
from studies.models import Fielding, Slot, SlotState


def claim_plan(session: Session, design: Mapping[str, Any], cells: Sequence[Cell], *, now: datetime) -> None:
    """Claim a free seat of every block for the session, and write its trials; the fielding must be locked.

    A block without a free seat gives the slots that are left one by one, and trials without a slot.
    """
    if session.claim is None:
        raise ValueError("a preview claims no seat")
    fielding = session.fielding
    rng = generator(seed=design["seed"], fielding=fielding.slug, claim=session.claim)
    main: list[list[int]] = []
    held: dict[int, Slot] = {}
    for number, block in enumerate(design["trials"]):
        seat = slots.free_seat(fielding, number)
        if seat:
            main.append([slot.stimulus_id for slot in seat])
        else:
            [identical] = identical_counts(block.get("identical", 0), count=block["count"], sessions=1, rng=rng)
            own = main_cells(cells, number)
            standings = slots.standings(fielding, number, now=now)
            found = {cell.stimulus: standings.get(cell.stimulus, Standing()) for cell in own}
            main.append(leftovers(own, found, block["count"] - identical, rng=rng))
            seat = _first_open(fielding, main[-1])
        held |= {slot.stimulus_id: slot for slot in seat}
    Slot.objects.filter(pk__in=[slot.pk for slot in held.values()]).update(state=SlotState.CLAIMED)
    entries = arrange(design, cells, main, claim=session.claim, rng=rng)
    write(session, entries, held, {cell.stimulus: design["trials"][cell.block]["kind"] for cell in cells})


def _first_open(fielding: Fielding, stimuli: Sequence[int]) -> list[Slot]:
    wanted = Slot.objects.filter(fielding=fielding, stimulus_id__in=stimuli, state=SlotState.OPEN)
    return list(wanted.order_by("stimulus_id", "pk").distinct("stimulus_id"))


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
