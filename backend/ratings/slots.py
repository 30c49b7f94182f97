"""Whose a slot is. Whoever gives slots away or takes them back holds the row of the fielding meanwhile.

Rows are locked in one order: session, trial, fielding. Whoever holds the fielding first takes only what is free
(`skip_locked`), so that nobody waits in a circle.
"""

from collections.abc import Collection, Iterable, Mapping

from django.db import transaction
from django.db.models import Count, F, Q, QuerySet

from eyelevel_core.assignment.allocation import Demand
from ratings.models import Origin, Session, SessionState, Trial, TrialRole, Vote
from ratings.signals import seat_given
from studies.models import Fielding, Slot, SlotState


def lock(fielding_id: int) -> Fielding:
    """The fielding, whose slots are ours until the transaction's end."""
    # votes that name the fielding's sessions may go on
    return Fielding.objects.select_for_update(no_key=True).get(pk=fielding_id)


def free_seat(fielding: Fielding, *, avoiding: Collection[int] = (), block: int | None = None) -> list[Slot]:
    """The slots of the first seat that is free as a whole, block by block; of one block only, where it is named.

    Seats with one of the stimuli to avoid will not do; none where no other is free.
    """
    of = _slots(fielding, block)
    return _first_seat(of, fits=Q(state=SlotState.OPEN) & ~Q(stimulus__in=avoiding))


def loose(fielding: Fielding, block: int) -> list[Slot]:
    """The block's open slots whose seat is not free as a whole: whoever takes them breaks no seat."""
    counted = _slots(fielding, block).filter(seat__isnull=False).values("seat")
    whole = counted.annotate(open=Count("pk", filter=Q(state=SlotState.OPEN)), all=Count("pk")).filter(open=F("all"))
    found = _slots(fielding, block).filter(state=SlotState.OPEN).exclude(seat__in=whole.values("seat"))
    return list(found.select_related("stimulus").order_by("pk"))


def demands(fielding: Fielding, block: int) -> dict[int, Demand]:
    """Per stimulus of the block how many votes its slots want, and how many are promised or given."""
    found: dict[int, Demand] = {}
    per_stimulus = _slots(fielding, block).values_list("stimulus_id", "state")
    for stimulus, state, count in per_stimulus.annotate(Count("pk")):
        demand = found.setdefault(stimulus, Demand())
        if state == SlotState.OPEN:
            demand.open += count
        else:
            demand.taken += count
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
    """Give a session that lost its seat the like of it again, where all of that is free; session must be locked.

    Without a seat what it answers is beyond the quota: it is kept, and used once a seat becomes free. A session that
    is left out gets none.
    """
    lost = _lost(session)
    if lost and not session.exclusions.exists():
        _seat(session, _like(lock(session.fielding_id), lost))


def _open(fielding: Fielding, slots: Collection[int]) -> None:
    """Free these slots; what someone without a seat has answered meanwhile is theirs at once."""
    Trial.objects.filter(slot__in=slots).update(slot=None)
    Slot.objects.filter(pk__in=slots).update(state=SlotState.OPEN)
    waiting = Session.objects.filter(fielding=fielding, state=SessionState.COMPLETED, exclusions=None)
    answered = _without_slot(Trial.objects.filter(session__in=waiting, stimulus__slots__in=slots))
    ready = waiting.filter(pk__in=answered.values("session")).order_by("completed_at", "pk")
    # one that is being left out or erased at this moment gets none
    for session in ready.select_for_update(of=("self",), skip_locked=True, no_key=True):
        seat = _like(fielding, _lost(session))
        if seat:
            _seat(session, seat)
            transaction.on_commit(lambda: seat_given.send_robust(sender=Slot, study_sha256=fielding.study_id))


def _lost(session: Session) -> dict[int, int]:
    """The stimuli that the session votes on without a slot, and the block of each."""
    return dict(_without_slot(session.trials.all()).values_list("stimulus_id", "stimulus__block"))


def _like(fielding: Fielding, lost: Mapping[int, int]) -> list[Slot]:
    """Open slots for all of these stimuli, or none: of each block a seat with just these, or else loose ones."""
    found: list[Slot] = []
    for block in sorted(set(lost.values())):
        stimuli = {stimulus for stimulus, of in lost.items() if of == block}
        fits = Q(state=SlotState.OPEN, stimulus__in=stimuli)
        seat = _first_seat(_slots(fielding, block), fits=fits, size=len(stimuli))
        if not seat:
            single = {slot.stimulus_id: slot for slot in loose(fielding, block) if slot.stimulus_id in stimuli}
            seat = list(single.values())
        found += seat
    return found if len(found) == len(lost) else []


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


def _slots(fielding: Fielding, block: int | None) -> QuerySet[Slot]:
    own = Slot.objects.filter(fielding=fielding)
    return own if block is None else own.filter(stimulus__block=block)


def _first_seat(slots: QuerySet[Slot], *, fits: Q, size: int | None = None) -> list[Slot]:
    """Of these slots those of the first seat (of so many slots) of which all fit, block by block."""
    counted = slots.filter(seat__isnull=False).values("seat").annotate(all=Count("pk"), fit=Count("pk", filter=fits))
    seats = counted.filter(fit=F("all")) if size is None else counted.filter(fit=F("all"), all=size)
    seat = seats.order_by("seat").values_list("seat", flat=True).first()
    if seat is None:
        return []
    return list(slots.filter(seat=seat).select_related("stimulus").order_by("stimulus__block", "pk"))
