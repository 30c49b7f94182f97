"""The seam to the allocation of slots."""

from ratings.models import Session, Trial
from studies.models import Slot, SlotState


def want_again(session: Session) -> None:
    """Ask others for the votes of a session that is left out: its slots are open again, its votes stay stored."""
    trials = Trial.objects.select_for_update(of=("self",)).filter(session=session, slot__isnull=False)
    slots = [trial.slot_id for trial in trials]
    Trial.objects.filter(slot_id__in=slots).update(slot=None)
    Slot.objects.filter(pk__in=slots).update(state=SlotState.OPEN)
