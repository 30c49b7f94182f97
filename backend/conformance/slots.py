"""The seam to the allocation of slots."""

from ratings.models import Session
from ratings.slots import reopen_slots


def want_again(session: Session) -> None:
    """Ask others for the votes of a session that is left out; they stay stored. To be called after its exclusion."""
    reopen_slots(session)
