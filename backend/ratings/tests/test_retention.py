"""Plans of sessions in which nothing happened go in time; the sessions are still counted."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from ratings.models import Session, Trial
from ratings.retention import sweep_unbegun
from testing import studies

pytestmark = [pytest.mark.django_db, pytest.mark.services]


def old_session(field: Any, **changes: Any) -> Session:
    session, _ = studies.start(field)
    Trial.objects.filter(session=session).update(slot=None)
    defaults = {"started_at": timezone.now() - timedelta(days=31), "token_sha256": None}
    Session.objects.filter(pk=session.pk).update(**(defaults | changes))
    return session


def test_only_plans_of_sessions_without_any_sign_go() -> None:
    studies.visible_batch()
    field = studies.study(quota={"sessions": 20}).fieldings.get()
    unbegun = old_session(field)
    stay = [
        old_session(field, token_sha256="f" * 64),
        old_session(field, started_at=timezone.now() - timedelta(days=29)),
        old_session(field, state="completed"),
    ]
    voted, played, holding = old_session(field), old_session(field), old_session(field)
    trials = {session.pk: session.trials.get(position=1) for session in (voted, played)}
    studies.vote(trials[voted.pk])
    studies.play(trials[played.pk])
    other, _ = studies.start(field)
    slot = other.trials.exclude(slot=None)[0]
    slot_id, slot.slot = slot.slot, None
    slot.save()
    Trial.objects.filter(pk=holding.trials.get(position=1).pk).update(slot=slot_id)
    assert sweep_unbegun(timezone.now(), delete=False) == 1
    assert sweep_unbegun(timezone.now(), delete=True) == 1
    assert sweep_unbegun(timezone.now(), delete=True) == 0
    without = set(Session.objects.filter(trials=None).values_list("pk", flat=True))
    assert without == {unbegun.pk}
    assert Session.objects.count() == len(stay) + 5
