"""Quota slots: assigning them to sessions and releasing them, always with the fielding's row locked.

An assignment is the set of slots that one session fills. Rows are locked in one order: session,
trial, fielding. Code that locks the fielding first takes only free rows (`skip_locked`), so there is no deadlock.
"""

from collections.abc import Collection, Iterable, Mapping

from django.db import transaction
from django.db.models import Count, F, Q, QuerySet

from eyelevel_core.assignment.allocation import Demand
from ratings.models import Origin, Session, SessionState, Trial, TrialRole, Vote
from ratings.signals import assignment_given
from studies.models import Fielding, Slot, SlotState


def lock(fielding_id: int) -> Fielding:
    """The fielding, locked until the end of the transaction."""
    # inserting votes that refer to the fielding's sessions is still possible
    return Fielding.objects.select_for_update(no_key=True).get(pk=fielding_id)


def free_assignment(fielding: Fielding, *, avoiding: Collection[int] = (), block: int | None = None) -> list[Slot]:
    """The slots of the first assignment that is free as a whole, block by block; of one block only, if it is given.

    Assignments that contain a stimulus to avoid are skipped; empty if no other is free.
    """
    of = _slots(fielding, block)
    return _first_assignment(of, fits=Q(state=SlotState.OPEN) & ~Q(stimulus__in=avoiding))


def loose(fielding: Fielding, block: int) -> list[Slot]:
    """The block's open slots of assignments that are not free as a whole; taking them splits no free assignment."""
    counted = _slots(fielding, block).filter(assignment__isnull=False).values("assignment")
    whole = counted.annotate(open=Count("pk", filter=Q(state=SlotState.OPEN)), all=Count("pk")).filter(open=F("all"))
    found = _slots(fielding, block).filter(state=SlotState.OPEN).exclude(assignment__in=whole.values("assignment"))
    return list(found.select_related("stimulus").order_by("pk"))


def demands(fielding: Fielding, block: int) -> dict[int, Demand]:
    """Open and taken slots per stimulus of the block."""
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
    """Release the slots of these trials of one session; session and trials must be locked."""
    slots = [trial.slot_id for trial in trials if trial.slot_id is not None]
    if slots:
        fielding = lock(Slot.objects.values_list("fielding_id", flat=True).get(pk=slots[0]))
        _open(fielding, slots)


def release(fielding: Fielding, sessions: QuerySet[Session]) -> int:
    """Release all slots of these sessions, also those with a vote; returns how many sessions.

    The fielding must be locked. A session whose vote is being stored at this moment is skipped.
    """
    gone = list(sessions.filter(fielding=fielding).select_for_update(skip_locked=True).values_list("pk", flat=True))
    slots = Trial.objects.filter(session__in=gone, slot__isnull=False).values_list("slot_id", "session_id")
    held = dict(slots)
    _open(fielding, list(held))
    return len(set(held.values()))


def reopen_slots(session: Session) -> int:
    """Release the slots of a session whose votes are not used; returns how many.

    Call it after the session's exclusion is stored.
    """
    with transaction.atomic():
        Session.objects.select_for_update().get(pk=session.pk)
        # lock first: the previous holder of the lock may have assigned slots to the session
        fielding = lock(session.fielding_id)
        slots = list(Trial.objects.filter(session=session, slot__isnull=False).values_list("slot_id", flat=True))
        _open(fielding, [slot for slot in slots if slot is not None])
    return len(slots)


def want_anew(fielding_id: int, slots: Collection[int]) -> None:
    """Release the slots of trials that were erased; session and trials must be locked."""
    _open(lock(fielding_id), slots)


def reclaim(session: Session) -> None:
    """Assign an equivalent set of slots to a session that lost its own, if all are free; session must be locked.

    Without slots the session is over quota: its answers are stored, and used once slots become free. A session that is
    left out gets no slots.
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
    # a session that is being left out or erased at this moment is skipped
    for session in ready.select_for_update(of=("self",), skip_locked=True, no_key=True):
        assignment = _like(fielding, _lost(session))
        if assignment:
            _assign(session, assignment)
            transaction.on_commit(lambda: assignment_given.send_robust(sender=Slot, study_sha256=fielding.study_id))


def _lost(session: Session) -> dict[int, int]:
    """The session's stimuli without a slot, with the block of each."""
    return dict(_without_slot(session.trials.all()).values_list("stimulus_id", "stimulus__block"))


def _like(fielding: Fielding, lost: Mapping[int, int]) -> list[Slot]:
    """Open slots for all of these stimuli, or none: per block an assignment of exactly these, else single slots."""
    found: list[Slot] = []
    for block in sorted(set(lost.values())):
        stimuli = {stimulus for stimulus, of in lost.items() if of == block}
        fits = Q(state=SlotState.OPEN, stimulus__in=stimuli)
        assignment = _first_assignment(_slots(fielding, block), fits=fits, size=len(stimuli))
        if not assignment:
            single = {slot.stimulus_id: slot for slot in loose(fielding, block) if slot.stimulus_id in stimuli}
            assignment = list(single.values())
        found += assignment
    return found if len(found) == len(lost) else []


def _assign(session: Session, slots: Iterable[Slot]) -> None:
    """Assign these slots to the session, as filled where it has voted; session and fielding must be locked."""
    trials = {trial.stimulus_id: trial for trial in _without_slot(session.trials.all())}
    voted = set(Vote.objects.filter(session=session).values_list("trial_id", flat=True))
    for slot in slots:
        trial = trials.get(slot.stimulus_id)
        if trial is None or Trial.objects.filter(pk=trial.pk, slot=None).update(slot=slot) != 1:
            continue
        state = SlotState.FILLED if trial.pk in voted else SlotState.ASSIGNED
        Slot.objects.filter(pk=slot.pk).update(state=state)


def _without_slot(trials: QuerySet[Trial]) -> QuerySet[Trial]:
    # previews never have slots
    return trials.filter(role=TrialRole.MAIN, skipped=False, slot=None).exclude(session__origin=Origin.PREVIEW)


def _slots(fielding: Fielding, block: int | None) -> QuerySet[Slot]:
    own = Slot.objects.filter(fielding=fielding)
    return own if block is None else own.filter(stimulus__block=block)


def _first_assignment(slots: QuerySet[Slot], *, fits: Q, size: int | None = None) -> list[Slot]:
    """The slots of the first assignment (of this size) of which all fit, block by block."""
    counted = (
        slots.filter(assignment__isnull=False)
        .values("assignment")
        .annotate(all=Count("pk"), fit=Count("pk", filter=fits))
    )
    assignments = counted.filter(fit=F("all")) if size is None else counted.filter(fit=F("all"), all=size)
    assignment = assignments.order_by("assignment").values_list("assignment", flat=True).first()
    if assignment is None:
        return []
    return list(slots.filter(assignment=assignment).select_related("stimulus").order_by("stimulus__block", "pk"))
