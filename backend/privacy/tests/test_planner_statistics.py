"""PostgreSQL's samples of values forget an erased participant: in the worker soon after, and not in a request."""

import io
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from kombu.exceptions import OperationalError

from accounts.models import Role
from privacy import erasure_ledger, planner_statistics, tasks
from privacy.erasure import erase
from privacy.models import By
from privacy.restore import replay
from ratings.models import Session
from testing import studies, withdrawing
from testing.web import participant, post

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture
def leaver(db: None) -> Session:
    """A participant whose window's width PostgreSQL has sampled, since it is in most rows."""
    session = withdrawing.leaver(withdrawing.fielding())
    other, _ = studies.start(session.fielding)
    Session.objects.filter(pk=other.pk).update(screen_width_px=session.screen_width_px, participant=session.participant)
    planner_statistics.refresh()
    assert sampled()
    return session


def sampled() -> bool:
    """Whether the statistics of sessions contain the width of the leaver's window."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stats::text FROM pg_stats WHERE tablename = 'ratings_session'")
        return any(withdrawing.PLANTED["width"] in row for (row,) in cursor.fetchall())


def by_task(_: Session) -> None:
    tasks.refresh_statistics()


def by_retention(_: Session) -> None:
    tasks.apply_retention()


@pytest.mark.parametrize("refresh", [by_task, by_retention])
def test_a_task_of_the_worker_forgets(leaver: Session, refresh: Callable[[Session], None]) -> None:
    erase(leaver.participant, by=By.PARTICIPANT)
    assert sampled()
    refresh(leaver)
    assert not sampled()


def test_the_command_that_erases_forgets(leaver: Session) -> None:
    call_command("erase_participant", session=leaver.pk, stdout=io.StringIO())
    assert not sampled()


def test_an_erasure_that_is_repeated_after_a_restore_is_forgotten_before_the_start(
    leaver: Session, settings: Any
) -> None:
    entry = erasure_ledger.Entry(
        id=uuid4(), erased_at=timezone.now(), participant=leaver.participant_id, by="participant"
    )
    erasure_ledger.append([entry])
    replay()
    assert not sampled()


def test_a_withdrawal_leaves_it_to_the_worker(
    db: None, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    browser, session = participant(withdrawing.fielding().slug)
    called: list[bool] = []
    monkeypatch.setattr(tasks.refresh_statistics, "delay", lambda: called.append(True))
    with CaptureQueriesContext(connection) as queries, django_capture_on_commit_callbacks(execute=True):
        assert post(browser, "/api/withdrawals", {"session_id": session["id"]}).status_code == 200
        assert called == [], "the worker would still see the rows as they were"
    assert called == [True]
    assert len(queries) > 0
    assert not any("ANALYZE" in query["sql"] for query in queries)


def test_forgetting_recruiter_ids_leaves_it_to_the_worker(
    db: None, client: Client, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    called: list[bool] = []
    monkeypatch.setattr(tasks.refresh_statistics, "delay", lambda: called.append(True))
    client.force_login(studies.user("rosa", Role.RESEARCHER))
    study = withdrawing.leaver(withdrawing.fielding()).fielding.study
    with CaptureQueriesContext(connection) as queries, django_capture_on_commit_callbacks(execute=True):
        body = {"confirm": study.name}
        answer = post(client, f"/api/research/studies/{study.pk}/recruiter-ids/forget", body)
    assert (answer.json(), called) == ({"recruiter_ids": 1}, [True])
    assert not any("ANALYZE" in query["sql"] for query in queries)


def test_a_dead_queue_costs_no_withdrawal(
    db: None,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    django_capture_on_commit_callbacks: Any,
) -> None:
    def dead() -> None:
        raise OperationalError("nobody there")

    monkeypatch.setattr(tasks.refresh_statistics, "delay", dead)
    browser, session = participant(withdrawing.fielding().slug)
    with django_capture_on_commit_callbacks(execute=True):
        assert post(browser, "/api/withdrawals", {"session_id": session["id"]}).status_code == 200
    assert "The refresh of planner statistics after an erasure could not be queued: nobody there" in caplog.text
