"""The live page's body from the database, alerts by e-mail and webhook, and problems counted without people."""

import json
from collections.abc import Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any
from uuid import uuid4

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from accounts.models import Role
from fieldwork import sending, watching
from fieldwork.models import RaisedAlert
from ratings import problems_shown
from ratings.models import ProblemShown, Trial
from studies import stored_counts
from studies.lifecycle import change_state
from studies.models import FieldingState
from testing import studies
from testing.votes import BEGIN, Field
from testing.web import SCREEN, answer, error_code, participant, post, put, signed_in, vote_body

pytestmark = [pytest.mark.services, pytest.mark.django_db]


def body(field: Field, client: Client) -> dict[str, Any]:
    answer = client.get(f"/api/research/studies/{field.study.sha256}/field")
    assert answer.status_code == 200, answer.content
    found: dict[str, Any] = answer.json()
    return found


def opened_without_id(field: Field, times: int) -> None:
    ProblemShown.objects.update_or_create(
        fielding=field.fielding, code="recruit_missing", day=timezone.now().date(), defaults={"times": times}
    )


def left(field: Field, votes: int = 1) -> None:
    session = field.session(judged=False)
    for _ in range(votes):
        field.rate("QUIC", 5, by=session)


def test_the_body_counts_people_and_no_stack() -> None:
    client = signed_in("rita", Role.RESEARCHER)
    field = Field()
    field.rate("QUIC", 5)
    left(field, votes=2)
    field.session(origin="simulated")
    found = body(field, client)
    (link,) = found["links"]
    assert (link["started"], link["finished"], link["left"], link["counted"]) == (2, 1, 1, 1)
    assert link["minutes"] == {"lower": 10, "median": 10, "upper": 10}
    assert found["steps"] == [{"group": "volunteer", "answered": 2, "trials": 2, "sessions": 1}]
    assert found["days"] == [
        {"day": f"{BEGIN:%F}", "group": "volunteer", "started": 2, "finished": 1, "counted": 1, "votes": 3}
    ]
    assert "QUIC" not in json.dumps(found)


def test_a_large_study_is_counted_by_the_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_counts, "LARGE", 0)
    client = signed_in("rita", Role.RESEARCHER)
    field = Field()
    stored_counts.count_due()
    field.rate("QUIC", 5)
    assert body(field, client)["links"][0]["started"] == 0


class Hook:
    """A server that takes webhooks; with `status` 500 it fails."""

    def __init__(self) -> None:
        self.bodies: list[dict[str, Any]] = []
        self.status = 200
        hook = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                hook.bodies.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(hook.status)
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                """Keep the test's output clean."""

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}/hook"


@pytest.fixture
def hook() -> Iterator[Hook]:
    hook = Hook()
    thread = Thread(target=hook.server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield hook
    hook.server.shutdown()
    thread.join()
    hook.server.server_close()


def test_an_alert_is_sent_once_and_again_where_that_failed(hook: Hook, settings: Any) -> None:
    settings.ALERT_WEBHOOK, settings.ALERT_EMAIL = hook.address, ["lab@example.org"]
    settings.PUBLIC_URL = "https://study.example.org"
    field = Field()
    opened_without_id(field, 3)
    hook.status = 500
    assert sending.check_all() == 1
    hook.status = 200
    assert sending.check_all() == 1
    assert sending.check_all() == 0
    # the webhook failed once; the e-mail was sent once all the same
    assert len(mail.outbox) == 1
    assert [message["code"] for message in hook.bodies] == ["ids_missing"] * 2
    assert hook.bodies[1]["text"] == (
        "demo: Since yesterday, the link of group volunteer was opened 3 times without the recruiter's ID. "
        f"https://study.example.org/research/studies/{field.study.sha256}/live"
    )
    assert mail.outbox[-1].to == ["lab@example.org"]
    assert "was opened 3 times" in mail.outbox[-1].body


def test_an_alert_ends_and_comes_back_quietly_within_a_day(hook: Hook, settings: Any) -> None:
    settings.ALERT_WEBHOOK = hook.address
    client = signed_in("rita", Role.RESEARCHER)
    field = Field()
    opened_without_id(field, 3)
    now = timezone.now()
    assert sending.check(field.study, now) == 1
    since = body(field, client)["alerts"][0]["since"]
    assert since is not None
    opened_without_id(field, 0)
    assert sending.check(field.study, now) == 0
    assert RaisedAlert.objects.get().ended_at == now
    opened_without_id(field, 3)
    assert sending.check(field.study, now + timedelta(hours=1)) == 0
    opened_without_id(field, 0)
    sending.check(field.study, now + timedelta(hours=2))
    opened_without_id(field, 3)
    assert sending.check(field.study, now + timedelta(days=2)) == 1


def test_studies_that_are_over_raise_nothing() -> None:
    field = Field()
    opened_without_id(field, 3)
    field.fielding.state = FieldingState.CLOSED
    field.fielding.save()
    sending.check_all()
    assert not RaisedAlert.objects.exists()


def test_a_clip_that_fails_for_many_people_is_an_alert() -> None:
    field = Field()
    for origin in ("person", "person", "person", "simulated"):
        vote = field.rate("QUIC", 5, by=field.session(origin=origin))
        Trial.objects.filter(pk=vote.trial_id).update(unplayable=True, clip_sent_at=BEGIN)
    (alert,) = watching.alerts_of(field.study)
    digest = field.stimuli["QUIC"].clip.sha256
    assert (alert.code, alert.subject, alert.count, alert.of) == (
        "clip_fails", f"{field.fielding.slug}/{digest}", 3, 3,
    )  # fmt: skip


def test_what_participants_could_not_do_is_counted_by_code(monkeypatch: pytest.MonkeyPatch) -> None:
    reader = signed_in("rita", Role.RESEARCHER)
    studies.visible_batch()
    study = studies.study()
    fielding = study.fieldings.get()
    client, session = participant(fielding.slug)
    assert error_code(answer(client, session["trials"][0], data={"score": 8})) == (422, "invalid")
    change_state(fielding, FieldingState.PAUSED)
    path = f"/api/participate/{fielding.slug}/sessions"
    late = {"language": "en", "consent_version": "1", "screen": SCREEN}
    for _ in range(2):
        assert error_code(post(Client(), path, late)) == (409, "not_open")
    monkeypatch.setattr(problems_shown, "MOST_TIMES", 2)
    assert error_code(post(Client(), path, late)) == (409, "not_open")
    found = reader.get(f"/api/research/studies/{study.sha256}/field").json()["problems"]
    assert found == [
        {"code": "not_open", "group": fielding.group, "today": 2, "total": 2},
        {"code": "invalid", "group": fielding.group, "today": 1, "total": 1},
    ]


def test_previews_are_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    client = signed_in("rita", Role.RESEARCHER)
    studies.visible_batch()
    slug = studies.study().fieldings.get().slug
    begun = post(
        client, f"/api/research/fieldings/{slug}/preview", {"language": "en", "consent_version": "1", "screen": SCREEN}
    )
    assert begun.status_code == 201, begun.content
    body = vote_body(begun.json()["trials"][0], data={"score": 8}) | {"session_id": begun.json()["id"]}
    assert error_code(put(client, f"/api/session/votes/{uuid4()}", body)) == (422, "invalid")
    assert not ProblemShown.objects.exists()
