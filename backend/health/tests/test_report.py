"""What an admin is told, in JSON, in text and as metrics; and who is told nothing."""

import io
import json
import logging
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core import mail
from django.core.management import call_command
from django.utils import timezone

from accounts.models import Role
from backups.models import BackupRun, Kind
from config.celery import app, note_time
from health import heartbeats, queues, sending
from health.alive import PREFIX, SERVICES, life_of
from health.error_log import ErrorLog, error_groups
from health.report import report
from health.text import WARNINGS
from lib.data_version import DATA_VERSION
from lib.redis_client import redis_client
from ratings.models import Session
from testing import studies
from testing.web import answer, participant, signed_in, stranger

pytestmark = [pytest.mark.django_db, pytest.mark.services]

BACKEND = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _empty_memory() -> None:
    with redis_client() as client:
        client.flushdb()


def all_alive() -> None:
    for name in SERVICES:
        heartbeats.beat(name)


def test_all_is_well_where_everything_gives_signs_of_life() -> None:
    all_alive()
    found = report()
    assert found.warnings == []
    assert {service.name: service.ok for service in found.services} == dict.fromkeys(
        ("PostgreSQL", "Valkey", "web", *SERVICES), True
    )
    assert set(found.versions) == {"eyelevel", "data", "python", "django", "postgresql", "valkey"}


def test_a_worker_that_stopped_and_the_message_that_waits_are_named() -> None:
    heartbeats.beat("beat")
    headers: dict[str, Any] = {}
    note_time(headers=headers)
    headers[queues.SENT_AT] -= 600
    with app.connection_for_write() as connection, connection.SimpleQueue("celery") as queue:
        queue.put({"job": 1}, headers=headers)
    found = report()
    assert [service.name for service in found.services if not service.ok] == ["worker", "in-depth"]
    waiting = {queue.name: queue for queue in found.queues or ()}
    assert waiting["celery"].length == 1
    assert waiting["celery"].oldest_s == pytest.approx(600, abs=30)
    assert waiting["in-depth"].oldest_s is None
    assert found.warnings == ["service", "queue"]


def test_a_queue_that_is_away_is_unknown(settings: Any) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    found = report()
    assert (found.queues, found.errors) == (None, None)
    assert [service.name for service in found.services if not service.ok] == ["Valkey", *SERVICES]


def test_failed_and_overdue_drills_are_named() -> None:
    all_alive()
    facts = {"kind": Kind.DRILL, "sentences": ["34 tables have the same 901 rows."]}
    run = BackupRun.objects.create(ok=True, ended_at=timezone.now() - timedelta(days=7), **facts)
    assert report().warnings == []
    BackupRun.objects.filter(pk=run.pk).update(ended_at=timezone.now() - timedelta(days=9))
    assert report().warnings == ["drill"]
    BackupRun.objects.filter(pk=run.pk).update(ended_at=timezone.now(), ok=False)
    assert report().warnings == ["drill"]


def test_a_missing_backup_is_named_a_week_after_people_took_part() -> None:
    all_alive()
    studies.visible_batch()
    participant(studies.study().fieldings.get().slug)
    Session.objects.update(started_at=timezone.now() - timedelta(days=6))
    assert report().warnings == []
    Session.objects.update(started_at=timezone.now() - timedelta(days=8))
    assert report().warnings == ["backup_due"]
    old = timezone.now() - timedelta(days=8)
    run = BackupRun.objects.create(kind=Kind.BACKUP, ok=True, begun_at=old, ended_at=old)
    assert report().warnings == ["backup_due"]
    BackupRun.objects.filter(pk=run.pk).update(begun_at=timezone.now())
    assert report().warnings == []


def test_sessions_with_a_new_vote_are_active() -> None:
    studies.visible_batch()
    slug = studies.study().fieldings.get().slug
    browser, session = participant(slug)
    participant(slug)
    assert report().sessions_active == 0
    answer(browser, session["trials"][0])
    assert report().sessions_active == 1


def fail(value: str) -> None:
    raise KeyError(value)


def log_failures(*values: str) -> None:
    log = logging.Logger("ratings.votes")
    log.addHandler(ErrorLog(level=logging.ERROR))
    for value in values:
        try:
            fail(value)
        except KeyError:
            log.exception("The vote %s could not be stored.", value)
    log.warning("This is none.")


def test_errors_are_grouped_without_what_people_sent() -> None:
    log_failures("w-17-unmistakable", "w-18-unmistakable")
    (group,) = error_groups()
    assert (group.text, group.error, group.times) == ("The vote %s could not be stored.", "KeyError", 2)
    assert group.where is not None
    assert group.where.startswith("health/tests/test_report.py:")
    with redis_client() as client:
        everything = [repr(client.hgetall(key)) for key in client.keys("eyelevel:errors:*")]
    assert everything
    assert not any("unmistakable" in text for text in everything)


def test_an_error_log_without_a_queue_fails_nobody(settings: Any) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    log_failures("anything")


def test_the_page_is_for_admins_and_announcements_for_everybody(settings: Any) -> None:
    admin, guest = signed_in("anna", Role.ADMIN), signed_in("gus", Role.GUEST)
    assert admin.get("/api/health/report").json()["versions"]["data"] == str(DATA_VERSION)
    assert [client.get("/api/health/report").status_code for client in (guest, stranger())] == [403, 401]
    assert guest.get("/api/announcements").json() == []
    settings.DISK_RESERVE_BYTES = 10**18
    (announcement,) = guest.get("/api/announcements").json()
    assert announcement["code"] == "disk_reserve"
    assert stranger().get("/api/announcements").status_code == 401


def test_metrics_are_off_until_there_is_a_token(settings: Any) -> None:
    all_alive()
    assert stranger().get("/metrics").status_code == 404
    settings.METRICS_TOKEN = "a-secret"
    assert stranger().get("/metrics").status_code == 404
    assert stranger().get("/metrics", headers={"Authorization": "Bearer other"}).status_code == 404
    text = stranger().get("/metrics", headers={"Authorization": "Bearer a-secret"}).content.decode()
    assert 'eyelevel_service_up{service="beat"} 1.0' in text
    assert 'eyelevel_queue_length{queue="celery"} 0.0' in text
    assert "eyelevel_disk_free_bytes" in text


def test_metrics_have_each_warning_of_the_page_and_the_time_of_the_last_backup(settings: Any) -> None:
    def lines() -> list[str]:
        answered = stranger().get("/metrics", headers={"Authorization": "Bearer a-secret"})
        return [line for line in answered.content.decode().splitlines() if not line.startswith("#")]

    settings.METRICS_TOKEN = "a-secret"
    all_alive()
    assert {f'eyelevel_warning{{code="{code}"}} 0.0' for code in WARNINGS} <= set(lines())
    ended = timezone.now() - timedelta(days=9)
    BackupRun.objects.create(kind=Kind.BACKUP, ok=False, begun_at=ended, ended_at=ended)
    assert 'eyelevel_warning{code="backup"} 1.0' in lines()
    (at,) = [line.split()[1] for line in lines() if line.startswith("eyelevel_backup_timestamp_seconds ")]
    assert float(at) == pytest.approx(ended.timestamp(), abs=1)


def test_a_warning_is_sent_once_a_day_by_each_channel_that_takes_it(settings: Any) -> None:
    settings.ALERT_EMAIL, settings.PUBLIC_URL = ["lab@example.org"], "https://study.example.org"
    all_alive()
    assert sending.send_warnings() == 0
    ended = timezone.now()
    BackupRun.objects.create(kind=Kind.BACKUP, ok=False, begun_at=ended, ended_at=ended)
    assert [sending.send_warnings() for _ in range(2)] == [1, 0]
    (sent,) = mail.outbox
    assert (sent.subject, sent.to) == ("Eyelevel: operation", ["lab@example.org"])
    assert sent.body == f"{WARNINGS['backup']}\n\nhttps://study.example.org/admin/health\n"
    # nobody listens there, so it is tried again
    settings.ALERT_WEBHOOK = "http://127.0.0.1:1/hook"
    assert [sending.send_warnings() for _ in range(2)] == [0, 0]
    with redis_client() as client:
        assert client.keys("eyelevel:warned:*") == [b"eyelevel:warned:mail:backup"]
        assert 0 < client.ttl("eyelevel:warned:mail:backup") <= sending.REPEATED_AFTER_S


def test_a_warning_whose_message_fails_unexpectedly_is_sent_the_next_time(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.ALERT_EMAIL = ["lab@example.org"]
    all_alive()
    now = timezone.now()
    BackupRun.objects.create(kind=Kind.BACKUP, ok=False, begun_at=now, ended_at=now)
    with monkeypatch.context() as patched:
        patched.setattr(sending, "deliver", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            sending.send_warnings()
    assert [sending.send_warnings() for _ in range(2)] == [1, 0]


def test_a_service_that_stopped_is_on_the_page_but_in_no_message(settings: Any) -> None:
    settings.ALERT_EMAIL = ["lab@example.org"]
    assert report().warnings == ["service"]
    assert sending.send_warnings() == 0
    assert mail.outbox == []


def test_the_command_prints_lines_and_fails_where_something_needs_attention() -> None:
    out = io.StringIO()
    with pytest.raises(SystemExit) as caught:
        call_command("status", stdout=out)
    assert caught.value.code == 1
    lines = out.getvalue().splitlines()
    assert lines[0] == "! A service does not work; see the list of services."
    assert "  worker: does not work" in lines
    assert "Last backup: none" in lines
    all_alive()
    out = io.StringIO()
    call_command("status", "--json", stdout=out)
    assert json.loads(out.getvalue())["warnings"] == []


def test_the_health_check_of_a_container_asks_for_signs_of_life(services: dict[str, str]) -> None:
    def check(name: str, redis: str) -> tuple[int, str]:
        done = subprocess.run(
            [sys.executable, "-m", "health.alive", name],
            cwd=BACKEND,
            env={"EYELEVEL_REDIS_URL": redis},
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stderr.strip()

    assert check("worker", services["redis"]) == (1, "worker has sent no heartbeat for a minute; see its log.")
    heartbeats.beat("worker")
    assert check("worker", services["redis"]) == (0, "")
    with redis_client() as client:
        # the worker of another host lives, and this one does not
        client.rename(life_of("worker"), f"{PREFIX}worker:other")
    assert check("worker", services["redis"])[0] == 1
    assert "worker" in heartbeats.alive()
    heartbeats.beat("worker")
    assert check("worker", "redis://127.0.0.1:1/0")[1].startswith("Redis does not answer: ")
    assert check("nobody", services["redis"])[0] == 2
    with redis_client() as client:
        assert 0 < client.ttl(life_of("worker")) <= heartbeats.ALIVE_S


def test_each_answer_has_an_id_of_its_own() -> None:
    first, second = (stranger().get("/api/auth/me")["X-Request-Id"] for _ in range(2))
    assert len(first) == 16
    assert first != second
