"""Whose a slot is. Whoever gives slots away or takes them back holds the row of the fielding meanwhile.

Rows are locked in one order: session, trial, fielding. Whoever holds the fielding first takes only what is free
(`skip_locked`), so that nobody waits in a circle.
"""

from collections.abc import Collection, Iterable
from datetime import datetime

from django.db import transaction
from django.db.models import Count, F, Q, QuerySet

from ratings.models import Origin, Session, SessionState, Trial, TrialRole, Vote
from studies.allocation import Standing
from studies.models import Fielding, Slot, SlotState

# a seat is a number within a block
Seat = tuple[int, int]


def lock(fielding_id: int) -> Fielding:
    """The fielding, whose slots are ours until the transaction's end."""
    # votes that name the fielding's sessions may go on
    return Fielding.objects.select_for_update(no_key=True).get(pk=fielding_id)


def free_seat(fielding: Fielding, block: int) -> list[Slot]:
    """The slots of the block's first seat that is free as a whole; none where there is no such seat."""
    seats = Slot.objects.filter(fielding=fielding, stimulus__block=block, seat__isnull=False).values("seat")
    counted = seats.annotate(free=Count("pk", filter=Q(state=SlotState.OPEN)), all=Count("pk"))
    seat = counted.filter(free=F("all")).order_by("seat").values_list("seat", flat=True).first()
    return [] if seat is None else list(_slots_of(fielding, (block, seat)))


def standings(fielding: Fielding, block: int, *, now: datetime) -> dict[int, Standing]:
    """Per stimulus of the block how many votes its slots want, and how many are promised or given, slot or not."""
    per_stimulus = Slot.objects.filter(fielding=fielding, stimulus__block=block).values_list("stimulus_id", "state")
    found: dict[int, Standing] = {}
    for stimulus, state, count in per_stimulus.annotate(Count("pk")):
        standing = found.setdefault(stimulus, Standing())
        if state == SlotState.OPEN:
            standing.open += count
        else:
            standing.taken += count
    extra = _without_slot(Trial.objects.filter(session__fielding=fielding, stimulus__block=block))
    alive = Q(session__state=SessionState.STARTED, session__lease_until__gt=now)
    done = Q(session__state=SessionState.COMPLETED, session__exclusions=None)
    for stimulus, count in extra.filter(alive | done).values_list("stimulus_id").annotate(Count("pk")):
        found.setdefault(stimulus, Standing()).taken += count
    return found


def give_back(trials: Collection[Trial]) -> None:
    """Open the slots of these trials of one session again; session and trials must be locked."""
    slots = [trial.slot_id for trial in trials if trial.slot_id is not None]
    if slots:
        fielding = lock(Slot.objects.values_list("fielding_id", flat=True).get(pk=slots[0]))
        _open(fielding, slots)


def release(fielding: Fielding, sessions: QuerySet[Session]) -> int:
    """Give all slots of these sessions to others, also those that hold a vote; returns how many sessions.

    The fielding must be locked. A session whose vote is just being stored stays as it is.
    """
    gone = list(sessions.filter(fielding=fielding).select_for_update(skip_locked=True).values_list("pk", flat=True))
    slots = Trial.objects.filter(session__in=gone, slot__isnull=False).values_list("slot_id", "session_id")
    held = dict(slots)
    _open(fielding, list(held))
    return len(set(held.values()))


def reopen_slots(session: Session) -> int:
    """Want the votes of this session from others, since they are not used; returns how many slots opened.

    For whoever leaves a session out (a rule of conformance, a withdrawal), after its exclusion is stored.
    """
    with transaction.atomic():
        Session.objects.select_for_update().get(pk=session.pk)
        # first the lock: whoever held it until now may have given the session slots
        fielding = lock(session.fielding_id)
        slots = list(Trial.objects.filter(session=session, slot__isnull=False).values_list("slot_id", flat=True))
        _open(fielding, [slot for slot in slots if slot is not None])
    return len(slots)


def want_anew(fielding_id: int, slots: Collection[int]) -> None:
    """Open the slots of trials that are no more, such as erased ones; session and trials must be locked."""
    _open(lock(fielding_id), slots)


def reclaim(session: Session) -> None:
    """Give a session that lost its slots its like again, where such a seat is free; session must be locked.

    What it has answered stays a vote in any case; with a slot, nobody else is asked for it.
    """
    lost = dict(_without_slot(session.trials.all()).values_list("stimulus_id", "stimulus__block"))
    if not lost:
        return
    fielding = lock(session.fielding_id)
    for block in sorted(set(lost.values())):
        stimuli = {stimulus for stimulus, of in lost.items() if of == block}
        like = Slot.objects.filter(fielding=fielding, stimulus__in=stimuli, state=SlotState.OPEN, seat__isnull=False)
        seats = like.values("seat").annotate(Count("pk")).filter(pk__count=len(stimuli))
        for seat in seats.order_by("seat").values_list("seat", flat=True):
            slots = [] if seat is None else list(_slots_of(fielding, (block, seat)))
            if len(slots) == len(stimuli):
                _seat(session, slots)
                break


def _open(fielding: Fielding, slots: Collection[int]) -> None:
    """Free these slots; a seat that someone without slots has filled meanwhile is theirs at once."""
    Trial.objects.filter(slot__in=slots).update(slot=None)
    Slot.objects.filter(pk__in=slots).update(state=SlotState.OPEN)
    waiting = Session.objects.filter(fielding=fielding, state=SessionState.COMPLETED, exclusions=None)
    extra = _without_slot(Trial.objects.filter(session__in=waiting))
    if not extra.exists():
        return
    freed = Slot.objects.filter(pk__in=slots).values_list("stimulus__block", "seat").distinct()
    seats: set[Seat] = {(block, seat) for block, seat in freed if seat is not None}
    for seat in sorted(seats):
        free = list(_slots_of(fielding, seat))
        if any(slot.state != SlotState.OPEN for slot in free):
            continue
        like = extra.filter(stimulus__in=[slot.stimulus_id for slot in free])
        sessions = like.values("session").annotate(Count("pk")).filter(pk__count=len(free))
        # one that is being left out or erased at this moment gets none
        ready = waiting.filter(pk__in=sessions.values("session")).order_by("completed_at")
        found = ready.select_for_update(of=("self",), skip_locked=True, no_key=True).first()
        if found is not None:
            _seat(found, free)


def _seat(session: Session, slots: Iterable[Slot]) -> None:
    """Give the session these slots, those that it has voted on as filled; session and fielding must be locked."""
    trials = {trial.stimulus_id: trial for trial in _without_slot(session.trials.all())}
    voted = set(Vote.objects.filter(session=session).values_list("trial_id", flat=True))
    for slot in slots:
        trial = trials.get(slot.stimulus_id)
        if trial is None or Trial.objects.filter(pk=trial.pk, slot=None).update(slot=slot) != 1:
            continue
        state = SlotState.FILLED if trial.pk in voted else SlotState.CLAIMED
        Slot.objects.filter(pk=slot.pk).update(state=state)


def _without_slot(trials: QuerySet[Trial]) -> QuerySet[Trial]:
    # a preview never has one
    return trials.filter(role=TrialRole.MAIN, skipped=False, slot=None).exclude(session__origin=Origin.PREVIEW)


def _slots_of(fielding: Fielding, seat: Seat) -> QuerySet[Slot]:
    block, number = seat
    return Slot.objects.filter(fielding=fielding, stimulus__block=block, seat=number).order_by("pk")
