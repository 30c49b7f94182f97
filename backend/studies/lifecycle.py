"""The life of a fielding: one table."""

from problems import Problem
from studies.models import Fielding, FieldingState

TRANSITIONS: dict[FieldingState, frozenset[FieldingState]] = {
    FieldingState.OPEN: frozenset({FieldingState.PAUSED, FieldingState.CLOSED}),
    FieldingState.PAUSED: frozenset({FieldingState.OPEN, FieldingState.CLOSED}),
    # what has been closed may have been analysed as complete
    FieldingState.CLOSED: frozenset(),
}


def change_state(fielding: Fielding, to: FieldingState) -> Fielding:
    """Move a fielding on; to where it is already changes nothing. Raises Problem 409 `not_allowed`."""
    now = FieldingState(fielding.state)
    if to == now:
        return fielding
    if to not in TRANSITIONS[now]:
        raise Problem(409, "not_allowed", f"A fielding that is {now} cannot become {to}.")
    # by a condition, so that two people at once do not overwrite each other
    moved = Fielding.objects.filter(pk=fielding.pk, state=now).update(state=to)
    if not moved:
        raise Problem(409, "not_allowed", f"The fielding is {now} no longer; load it again.", retry=True)
    fielding.state = to
    return fielding
