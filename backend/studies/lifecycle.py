"""States of a fielding and the allowed transitions."""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum

from django.db import transaction
from django.db.models import Exists, OuterRef

from lib.problems import Problem
from studies.counts import counts
from studies.models import Fielding, FieldingState, Slot, SlotState
from studies.signals import fielding_closed


class EffectiveState(StrEnum):
    """A fielding as it is shown, in the order of use."""

    OPEN = "open"
    PAUSED = "paused"
    FULL = "full"
    CLOSED = "closed"


TRANSITIONS: dict[FieldingState, frozenset[FieldingState]] = {
    FieldingState.OPEN: frozenset({FieldingState.PAUSED, FieldingState.CLOSED}),
    FieldingState.PAUSED: frozenset({FieldingState.OPEN, FieldingState.CLOSED}),
    # what has been closed may have been analysed as complete
    FieldingState.CLOSED: frozenset(),
}


def effective_state(fielding: Fielding) -> EffectiveState:
    """The fielding's state, or `full` where it is open and nobody can begin now or soon.

    It is full where every slot is promised or filled, and no session without progress has to yield its slots.
    Participants and researchers are shown the same.
    """
    return effective_states([fielding])[fielding.pk]


def effective_states(fieldings: Iterable[Fielding]) -> dict[int, EffectiveState]:
    """The same of each of them by its key, in two queries at most."""
    states = {fielding.pk: EffectiveState(fielding.state) for fielding in fieldings}
    opened = [key for key, state in states.items() if state == EffectiveState.OPEN]
    room = Exists(Slot.objects.filter(fielding=OuterRef("pk"), state=SlotState.OPEN))
    taken = set(Fielding.objects.filter(~room, pk__in=opened).values_list("pk", flat=True)) if opened else set()
    full = taken - counts().fieldings_that_yield(taken) if taken else taken
    return states | dict.fromkeys(full, EffectiveState.FULL)


def by_use(
    fieldings: Iterable[Fielding], *, groups: Sequence[str], states: Mapping[int, EffectiveState]
) -> list[Fielding]:
    """Those that take people first, then paused, full and closed ones; `states` are the effective ones.

    Among equals in the order of the study's groups, then the newest first.
    """
    order = tuple(EffectiveState)
    newest_first = sorted(fieldings, key=lambda fielding: fielding.opened_at, reverse=True)
    return sorted(newest_first, key=lambda fielding: (order.index(states[fielding.pk]), groups.index(fielding.group)))


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
    if to == FieldingState.CLOSED:
        study_sha256 = fielding.study_id
        # robust: the fielding is closed, whatever a receiver raises
        transaction.on_commit(lambda: fielding_closed.send_robust(sender=Fielding, study_sha256=study_sha256))
    return fielding
