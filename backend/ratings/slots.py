"""Quota slots: releases them, and assigns them to sessions that have begun.

An assignment is the set of slots that one session fills. Slots are changed in two ways:

- `claims.claim` assigns a free assignment to a new session. It locks only the row of that assignment, and skips rows
  that are locked, so that new sessions do not wait for each other.
- All other code locks the fielding's row. Before it assigns slots of an assignment, it locks the assignment and reads
  the slots again, because a session may have just claimed them.

Rows are locked in one order: session, trial, fielding, assignment. Code that locks the fielding first takes only
unlocked sessions (`skip_locked`), so there are no deadlocks.
"""

from collections.abc import Collection, Mapping

from django.db import transaction
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from ratings.models import Origin, Session, SessionState, Trial, TrialRole
from ratings.signals import assignment_given
from studies.models import Assignment, Fielding, Slot, SlotState


def lock(fielding_id: int) -> Fielding:
    """The fielding, locked until the end of the transaction."""
    # votes that refer to the fielding's sessions can still be inserted
    return Fielding.objects.select_for_update(no_key=True).get(pk=fielding_id)


def take(slots: Collection[Slot]) -> None:
    """Mark open slots of one fielding as assigned; the fielding and their assignments must be locked."""
    Slot.objects.filter(pk__in=[slot.pk for slot in slots]).update(state=SlotState.ASSIGNED)
    for fielding in {slot.fielding_id for slot in slots}:
        numbers = {slot.assignment for slot in slots if slot.assignment is not None}
        Assignment.objects.filter(fielding=fielding, number__in=numbers).update(is_free=False)


def loose(fielding: Fielding, block: int) -> list[Slot]:
    """The block's open slots of assignments that are not free as a whole; taking them splits no free assignment."""
    open_slots = of_block(fielding, block).filter(state=SlotState.OPEN)
    counted = of_block(fielding, block).filter(assignment__in=open_slots.values("assignment")).values("assignment")
    whole = counted.annotate(open=Count("pk", filter=Q(state=SlotState.OPEN)), all=Count("pk")).filter(open=F("all"))
    partly = open_slots.exclude(assignment__in=whole.values("assignment"))
    return list(partly.select_related("stimulus").order_by("pk"))


def give_back(trials: Collection[Trial]) -> None:
    """Release the slots of these trials of one session; session and trials must be locked."""
    slots = [trial.slot_id for trial in trials if trial.slot_id is not None]
    if slots:
        fielding = lock(Slot.objects.values_list("fielding_id", flat=True).get(pk=slots[0]))
        _open(fielding, slots)


def release(fielding: Fielding, sessions: QuerySet[Session]) -> int:
    """Release all slots of these sessions, also those with a vote; returns the number of sessions.

    The fielding must be locked. A session whose vote is being stored is skipped.
    """
    expired = list(sessions.filter(fielding=fielding).select_for_update(skip_locked=True).values_list("pk", flat=True))
    slots = Trial.objects.filter(session__in=expired, slot__isnull=False).values_list("slot_id", "session_id")
    held = dict(slots)
    _open(fielding, list(held))
    return len(set(held.values()))


def reopen_slots(session: Session) -> int:
    """Release the slots of a session whose votes are not used; returns the number of slots.

    Call it after the session's exclusion is stored.
    """
    with transaction.atomic():
        Session.objects.select_for_update().get(pk=session.pk)
        # lock before reading, because the previous holder of the lock may have assigned slots to the session
        fielding = lock(session.fielding_id)
        slots = list(Trial.objects.filter(session=session, slot__isnull=False).values_list("slot_id", flat=True))
        _open(fielding, [slot for slot in slots if slot is not None])
    return len(slots)


def release_erased(fielding_id: int, slots: Collection[int]) -> None:
    """Release the slots of trials that were erased; session and trials must be locked."""
    _open(lock(fielding_id), slots)


def reclaim(session: Session) -> None:
    """Assign an equivalent set of slots to a session that lost its own, if all are free; session must be locked.

    Without slots the session is over quota: its answers are stored, and used once slots become free. An excluded
    session gets no slots.
    """
    lost = _lost(session)
    if lost and not session.exclusions.exists():
        _assign(session, _like(lock(session.fielding_id), lost))


def _open(fielding: Fielding, slots: Collection[int]) -> None:
    """Release these slots, and assign them at once to sessions over quota that have answered the same stimuli."""
    Trial.objects.filter(slot__in=slots).update(slot=None)
    Slot.objects.filter(pk__in=slots).update(state=SlotState.OPEN)
    waiting = Session.objects.filter(fielding=fielding, state=SessionState.COMPLETED, exclusions=None)
    answered = _without_slot(Trial.objects.filter(session__in=waiting, stimulus__slots__in=slots))
    ready = waiting.filter(pk__in=answered.values("session")).order_by("completed_at", "pk")
    # a session that is being excluded or erased is locked, and skipped
    for session in ready.select_for_update(of=("self",), skip_locked=True, no_key=True):
        assignment = _like(fielding, _lost(session))
        if assignment:
            _assign(session, assignment)
            transaction.on_commit(lambda: assignment_given.send_robust(sender=Slot, study_sha256=fielding.study_id))
    taken = Slot.objects.filter(fielding=fielding, assignment=OuterRef("number")).exclude(state=SlotState.OPEN)
    opened = Slot.objects.filter(pk__in=slots).values("assignment")
    Assignment.objects.filter(fielding=fielding, number__in=opened).update(is_free=~Exists(taken))


def _lost(session: Session) -> dict[int, int]:
    """The session's main stimuli that have no slot, with the block of each."""
    return dict(_without_slot(session.trials.all()).values_list("stimulus_id", "stimulus__block"))


def _like(fielding: Fielding, lost: Mapping[int, int]) -> list[Slot]:
    """Open slots for all of these stimuli, or none: per block an assignment of exactly these, or single slots."""
    chosen: list[Slot] = []
    for block in sorted(set(lost.values())):
        stimuli = {stimulus for stimulus, of in lost.items() if of == block}
        of = of_block(fielding, block)
        # only assignments with the first of them can have exactly these
        having = of.filter(state=SlotState.OPEN, stimulus=min(stimuli)).values("assignment")
        fits = Q(state=SlotState.OPEN, stimulus__in=stimuli)
        assignment = first_assignment(of.filter(assignment__in=having), fits=fits, size=len(stimuli))
        if not assignment:
            single = {slot.stimulus_id: slot for slot in loose(fielding, block) if slot.stimulus_id in stimuli}
            assignment = list(single.values())
        chosen += assignment
    return chosen if len(chosen) == len(lost) else []


def _assign(session: Session, slots: Collection[Slot]) -> None:
    """Assign these slots to the session's trials; session and fielding must be locked."""
    trials = {trial.stimulus_id: trial for trial in _without_slot(session.trials.all())}
    given = [slot for slot in slots if slot.stimulus_id in trials]
    take(given)
    for slot in given:
        Trial.objects.filter(pk=trials[slot.stimulus_id].pk).update(slot=slot)


def _without_slot(trials: QuerySet[Trial]) -> QuerySet[Trial]:
    # previews and simulated sessions never have slots
    return trials.filter(role=TrialRole.MAIN, skipped=False, slot=None, session__origin=Origin.PERSON)


def of_block(fielding: Fielding, block: int) -> QuerySet[Slot]:
    """The slots of one block of the study."""
    return Slot.objects.filter(fielding=fielding, stimulus__block=block)


def first_assignment(slots: QuerySet[Slot], *, fits: Q, size: int | None = None) -> list[Slot]:
    """The slots of the first assignment (of this size) of which all fit; locks the assignment."""
    whole = (
        slots.filter(assignment__in=slots.filter(state=SlotState.OPEN).values("assignment"))
        .values("assignment", "fielding")
        .annotate(all=Count("pk"), fit=Count("pk", filter=fits))
        .filter(fit=F("all"), **({} if size is None else {"all": size}))
        .order_by("assignment")
    )
    for number, fielding in whole.values_list("assignment", "fielding"):
        locked = Assignment.objects.select_for_update(skip_locked=True, no_key=True)
        if number is None or locked.filter(fielding=fielding, number=number).first() is None:
            continue
        of_assignment = slots.filter(assignment=number)
        # read again, because a session may have claimed the assignment before it was locked
        if not of_assignment.exclude(fits).exists():
            return list(of_assignment.select_related("stimulus").order_by("pk"))
    return []
