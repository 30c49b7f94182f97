"""Whoever begins anew is asked about nothing that they have played already, and what comes back is as it was."""

from typing import Any

import pytest

from conformance.queries import judged_sessions
from conformance.verdicts import judge_session
from eyelevel_core.assignment.clip import setting_of
from ratings import completion, sessions
from ratings.models import Exclusion, Session
from ratings.plans import SEEN_BEFORE
from studies.models import Fielding, Slot
from testing import studies
from testing.people import COUNTED_ONLY

pytestmark = [pytest.mark.django_db, pytest.mark.services]

LABEL = {"en": "x", "de": "x"}


def fielding(**changes: Any) -> Fielding:
    studies.visible_batch()
    return studies.study(conformance=COUNTED_ONLY, **changes).fieldings.get()


def settings(session: Session, **which: Any) -> set[Any]:
    trials = session.trials.filter(**which).select_related("stimulus__clip__take", "stimulus__clip__right_take")
    return {setting_of(trial.stimulus.clip) for trial in trials}


def held(session: Session) -> int:
    return session.trials.filter(slot__isnull=False).count()


def played(session: Session, *positions: int) -> Session:
    for position in positions:
        studies.play(session.trials.get(position=position))
    return session


def finish(session: Session) -> None:
    for trial in session.trials.all():
        studies.vote(trial)
    completion.finish(session, skipped=[])


def test_another_assignment_is_found_without_what_was_played() -> None:
    begun = played(studies.start(fielding())[0], 1, 2, 5)
    studies.vote(begun.trials.get(position=1))
    renewed = studies.begin_anew(begun)
    assert (held(renewed), renewed.trials.count()) == (6, 6)
    assert not settings(renewed) & settings(begun, position__in=[1, 2, 5])
    # and a third time
    played(renewed, 1)
    third = studies.begin_anew(renewed)
    assert not settings(third) & (settings(begun, position__in=[1, 2, 5]) | settings(renewed, position=1))
    assert not Exclusion.objects.filter(rule=SEEN_BEFORE).exists()


def test_who_has_played_nothing_gets_the_same_assignment_again() -> None:
    begun, _ = studies.start(fielding())
    assert settings(studies.begin_anew(begun)) == settings(begun)


def test_a_block_of_which_all_that_is_wanted_was_played_is_not_asked_again() -> None:
    begun = played(studies.start(fielding(quota={"sessions": 1}))[0], 2)
    renewed = studies.begin_anew(begun)
    assert settings(renewed) == settings(begun, kind="compare")
    assert (held(renewed), Slot.objects.filter(state="open").count()) == (2, 4)


def test_who_has_met_all_that_is_wanted_takes_part_and_is_left_out() -> None:
    begun = played(studies.start(fielding(quota={"sessions": 1}))[0], 2, 6)
    renewed = studies.begin_anew(begun)
    assert (held(renewed), renewed.trials.count(), Slot.objects.filter(state="open").count()) == (0, 6, 6)
    finish(renewed)
    assert (held(renewed), Slot.objects.filter(state="open").count()) == (0, 6)
    judge_session(renewed.pk)
    [judged] = [row for row in judged_sessions(begun.fielding.study_id) if row.session_id == renewed.pk]
    assert judged.verdict is not None
    assert (judged.left_out_by, judged.verdict.used, judged.verdict.accepted) == ((SEEN_BEFORE,), False, True)
    # the assignment waits for somebody to whom it is new
    finish(studies.start(begun.fielding)[0])
    assert studies.slot_counts() == {"open": 0, "assigned": 0, "filled": 6}


def test_the_order_of_contexts_comes_back_with_the_assignment(monkeypatch: pytest.MonkeyPatch) -> None:
    # assignments follow from the name: in these each context is asked
    monkeypatch.setattr(Fielding._meta.get_field("slug"), "_get_default", lambda: "samefields")
    contexts = [{"key": key, "label": LABEL, "networks": ["DSL", "LTE"]} for key in ("work", "leisure", "plane")]
    field = fielding(contexts=contexts, trials=[{"kind": "rate", "count": 8}])

    def order(session: Session) -> list[str]:
        return list(dict.fromkeys(session.trials.values_list("stimulus__context", flat=True)))

    begun = [studies.start(field)[0] for _ in range(3)]
    first = [order(session) for session in begun]
    # three turns of one ring
    assert {tuple(asked) for asked in first} == {tuple(first[0][n:] + first[0][:n]) for n in range(3)}
    for given_up in (1, 0, 2):
        Session.objects.filter(pk=begun[given_up].pk).update(lease_until=studies.NOON)
        sessions.release_abandoned()
        assert order(studies.start(field)[0]) == first[given_up]
