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
    """State of a fielding as shown to people, in the order of use."""

    OPEN = "open"
    PAUSED = "paused"
    FULL = "full"
    CLOSED = "closed"


TRANSITIONS: dict[FieldingState, frozenset[FieldingState]] = {
    FieldingState.OPEN: frozenset({FieldingState.PAUSED, FieldingState.CLOSED}),
    FieldingState.PAUSED: frozenset({FieldingState.OPEN, FieldingState.CLOSED}),
    # a closed fielding may have been analysed as complete
    FieldingState.CLOSED: frozenset(),
}


def effective_state(fielding: Fielding) -> EffectiveState:
    """The fielding's state, or `full` if it is open but nobody can begin now or soon.

    It is full if every slot is assigned or filled, and no session without progress must yield its slots. Participants
    and researchers see the same state.
    """
    return effective_states([fielding])[fielding.pk]


def effective_states(fieldings: Iterable[Fielding]) -> dict[int, EffectiveState]:
    """The effective state of each fielding by its key, with at most two queries."""
    states = {fielding.pk: EffectiveState(fielding.state) for fielding in fieldings}
    opened = [key for key, state in states.items() if state == EffectiveState.OPEN]
    room = Exists(Slot.objects.filter(fielding=OuterRef("pk"), state=SlotState.OPEN))
    taken = set(Fielding.objects.filter(~room, pk__in=opened).values_list("pk", flat=True)) if opened else set()
    full = taken - counts().fieldings_that_yield(taken) if taken else taken
    return states | dict.fromkeys(full, EffectiveState.FULL)


def by_use(
    fieldings: Iterable[Fielding], *, groups: Sequence[str], states: Mapping[int, EffectiveState]
) -> list[Fielding]:
    """Sort fieldings: open ones first, then paused, full and closed ones; `states` are the effective states.

    Fieldings with the same state are in the order of the study's groups, then newest first.
    """
    order = tuple(EffectiveState)
    newest_first = sorted(fieldings, key=lambda fielding: fielding.opened_at, reverse=True)
    return sorted(newest_first, key=lambda fielding: (order.index(states[fielding.pk]), groups.index(fielding.group)))


def change_state(fielding: Fielding, to: FieldingState) -> Fielding:
    """Change the state of a fielding; the current state changes nothing. Raises Problem 409 `not_allowed`."""
    now = FieldingState(fielding.state)
    if to == now:
        return fielding
    if to not in TRANSITIONS[now]:
        raise Problem(409, "not_allowed", f"The fielding {fielding.slug} is {now}, and cannot become {to}.")
    # conditional, so that two users do not overwrite each other's changes
    moved = Fielding.objects.filter(pk=fielding.pk, state=now).update(state=to)
    if not moved:
        raise Problem(409, "not_allowed", f"The fielding is no longer {now}; reload the page.", retry=True)
    fielding.state = to
    if to == FieldingState.CLOSED:
        study_sha256 = fielding.study_id
        # robust, because the fielding is closed even if a receiver raises
        transaction.on_commit(lambda: fielding_closed.send_robust(sender=Fielding, study_sha256=study_sha256))
    return fielding
