"""Rows of an older version serve after the upgrade."""

from importlib import import_module

import pytest
from django.db import connection

from ratings import plays
from ratings.models import Session, SessionState
from testing import studies

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.mark.parametrize("state", SessionState.values)
def test_what_comes_late_from_a_session_of_an_older_version_is_stored(state: str) -> None:
    studies.visible_batch()
    session, _ = studies.start(studies.study().fieldings.get())
    Session.objects.filter(pk=session.pk).update(state=state, yields_at=None)
    with connection.cursor() as cursor:
        cursor.execute(import_module("ratings.migrations.0014_leases_by_progress").FILL)
    session.refresh_from_db()
    assert plays.take_play(session, 1, studies.playback())
    studies.vote(session.trials.get(position=1))
