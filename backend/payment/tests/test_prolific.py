"""Prolific's API by a stand-in on loopback: a dry run, payment, requests to return; and its webhooks."""

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Role
from audit.models import AuditEntry
from conformance.models import Verdict
from ratings import sessions
from ratings.models import Session
from studies.models import Study
from testing import studies
from testing.web import error_code, post, signed_in

from .test_api import GROUPS

pytestmark = [pytest.mark.services, pytest.mark.django_db]
STUDY_ID, TOKEN, SECRET = "65f0aa", "a-token", "a-secret"
PAGE = 100


@dataclass
class StandIn:
    """Keeps submissions as Prolific does; approving is done at once."""

    rows: dict[str, dict[str, Any]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    # the reasons that people read who are asked to return
    reasons: list[str] = field(default_factory=list)
    # a submission for which it answers 400
    refuses: str = ""
    # where it redirects to, and the paths that were asked for
    moved_to: str = ""
    paths: list[str] = field(default_factory=list)

    def add(self, number: int, status: str, code: str = "") -> str:
        submission, person = f"s{number:04}", f"p{number:04}"
        self.rows[submission] = {"id": submission, "participant_id": person, "status": status, "study_code": code}
        return person

    def answer(self, method: str, path: str, body: Any) -> tuple[int, Any]:
        if method == "GET" and path.startswith(f"/api/v1/studies/{STUDY_ID}/submissions/"):
            first = int(path.partition("first=")[2] or 0)
            rows = list(self.rows.values())
            link = f"https://elsewhere.example{path.partition('?')[0]}?first={first + PAGE}"
            links = {"next": {"href": link if first + PAGE < len(rows) else None}}
            return 200, {"results": rows[first : first + PAGE], "_links": links}
        if (method, path) == ("POST", "/api/v1/submissions/bulk-approve/"):
            assert len(body["submission_ids"]) <= 1000
            for submission in body["submission_ids"]:
                self.rows[submission]["status"] = "APPROVED"
            return 200, "The request to bulk approve has been made successfully."
        if method == "POST" and path.endswith("/request-return/"):
            (reason,) = body["request_return_reasons"]
            submission = path.split("/")[4]
            if submission == self.refuses:
                return 400, {"error": "no"}
            self.asked.append(submission)
            self.reasons.append(reason)
            self.rows[submission]["return_requested"] = "2026-01-01T00:00:00Z"
            return 200, {"id": submission, "status": "AWAITING REVIEW"}
        return 404, {"error": "no such thing"}


@pytest.fixture
def prolific(settings: Any) -> Iterator[StandIn]:
    stand_in = StandIn()

    class Handler(BaseHTTPRequestHandler):
        def _do(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length)) if length else None
            stand_in.paths.append(self.path)
            if stand_in.moved_to:
                self.send_response(302)
                self.send_header("Location", stand_in.moved_to)
                self.end_headers()
                return
            status, value = (
                stand_in.answer(self.command, self.path, body)
                if self.headers["Authorization"] == f"Token {TOKEN}"
                else (401, {"error": "no"})
            )
            self.send_response(status)
            self.end_headers()
            self.wfile.write(json.dumps(value).encode())

        do_GET = do_POST = _do  # noqa: N815 - the names are those of http.server

        def log_message(self, *_: Any) -> None:
            """Keep the test's output clean."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    settings.PROLIFIC_API = f"http://127.0.0.1:{server.server_port}"
    settings.PROLIFIC_WEBHOOK_SECRET = SECRET
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield stand_in
    server.shutdown()
    thread.join()
    server.server_close()


def took_part(study: Study, person: str, submission: str, *, accepted: bool | None, broken: str = "") -> Session:
    """`accepted`: None for a session that goes on."""
    session, _ = sessions.start(
        sessions.fielding_of(study.fieldings.get().slug),
        language="en",
        consent_version="1",
        screen=studies.SCREEN,
        arrival=sessions.Arrival(recruiter_id=person, parameters={"SESSION_ID": submission}),
    )
    findings = [{"rule": broken, "broken": "yes", "reason": "", "trials": [], "unknown": 0}] if broken else []
    if accepted is not None:
        Session.objects.filter(pk=session.pk).update(state="completed", completion_code=f"C{person}")
        Verdict.objects.create(session=session, version=3, accepted=accepted, used=accepted, findings=findings)
    return session


def ask(client: Client, study: Study, **changes: Any) -> Any:
    body = {"group": "prolific", "study_id": STUDY_ID, "token": TOKEN} | changes
    return post(client, f"/api/research/studies/{study.pk}/books/prolific", body)


def test_a_dry_run_changes_nothing_and_applying_pays_each_person_once(prolific: StandIn) -> None:
    client = signed_in("rita", Role.RESEARCHER)
    studies.visible_batch()
    study = studies.study(groups=GROUPS)
    took_part(study, prolific.add(1, "AWAITING REVIEW", "C1DONE00"), "s0001", accepted=True)
    took_part(study, prolific.add(2, "AWAITING REVIEW", "C1DONE00"), "s0002", accepted=False, broken="R9")
    took_part(study, prolific.add(3, "AWAITING REVIEW", "C1RETURN"), "s0003", accepted=None)
    took_part(study, prolific.add(4, "TIMED-OUT"), "s0004", accepted=True)
    # more than a page, of people who left at once
    for number in range(5, 150):
        prolific.add(number, "RETURNED")
    found = ask(client, study).json()
    assert (found["approve"], found["ask_to_return"], found["applied"]) == (["s0001"], ["s0003"], None)
    assert found["actions"] == {"approve": 1, "reject": 1, "return": 1, "bonus": 1, "nothing": 145}
    assert (prolific.rows["s0001"]["status"], prolific.asked) == ("AWAITING REVIEW", [])
    # what was not compared is not paid, whatever is confirmed
    confirmed = {"approve": [*found["approve"], "s0002"], "ask_to_return": found["ask_to_return"]}
    done = {"approved": 1, "asked_to_return": 1, "failed": []}
    assert ask(client, study, **confirmed).json()["applied"] == done
    assert ask(client, study, **confirmed).json()["applied"] == {"approved": 0, "asked_to_return": 0, "failed": []}
    assert (prolific.rows["s0001"]["status"], prolific.rows["s0002"]["status"]) == ("APPROVED", "AWAITING REVIEW")
    assert prolific.asked == ["s0003"]
    assert TOKEN not in json.dumps([entry.details for entry in AuditEntry.objects.all()])


def test_who_declined_is_asked_to_return_with_a_reason(prolific: StandIn) -> None:
    client = signed_in("rita", Role.RESEARCHER)
    studies.visible_batch()
    study = studies.study(groups=GROUPS)
    took_part(study, prolific.add(1, "AWAITING REVIEW"), "s0001", accepted=None)
    prolific.add(2, "AWAITING REVIEW", "C1RETURN")
    applied = ask(client, study, ask_to_return=["s0001", "s0002"]).json()["applied"]
    assert applied == {"approved": 0, "asked_to_return": 2, "failed": []}
    assert prolific.reasons == ["Didn't finish the study", "You did not take part in the study"]


def test_one_refused_submission_does_not_keep_the_others(prolific: StandIn) -> None:
    client = signed_in("rita", Role.RESEARCHER)
    studies.visible_batch()
    study = studies.study(groups=GROUPS)
    for number in (1, 2, 3):
        took_part(study, prolific.add(number, "AWAITING REVIEW"), f"s000{number}", accepted=None)
    back = ask(client, study).json()["ask_to_return"]
    prolific.refuses = "s0002"
    applied = ask(client, study, ask_to_return=back).json()["applied"]
    assert applied == {"approved": 0, "asked_to_return": 2, "failed": ["s0002"]}
    assert prolific.asked == ["s0001", "s0003"]


def test_what_prolific_refuses_is_said_in_a_sentence(prolific: StandIn, settings: Any) -> None:
    client = signed_in("rita", Role.RESEARCHER)
    studies.visible_batch()
    study = studies.study(groups=GROUPS)
    assert "rejected the token" in ask(client, study, token="other").json()["error"]["message"]
    assert "has no such study" in ask(client, study, study_id="00").json()["error"]["message"]
    assert error_code(ask(client, study, study_id="../x")) == (422, "invalid")
    prolific.add(1, "ON HOLIDAY")
    assert "unknown or missing field: 'on holiday'" in ask(client, study).json()["error"]["message"]
    settings.PROLIFIC_API = "http://127.0.0.1:1"
    assert error_code(ask(client, study)) == (502, "recruiter")


def test_a_redirect_gets_no_token(prolific: StandIn) -> None:
    client = signed_in("rita", Role.RESEARCHER)
    studies.visible_batch()
    prolific.moved_to = "/elsewhere"
    response = ask(client, studies.study(groups=GROUPS))
    assert "it responded with status 302" in response.json()["error"]["message"]
    assert prolific.paths == [f"/api/v1/studies/{STUDY_ID}/submissions/"]


def signed(body: bytes, *, secret: str = SECRET, at: float | None = None) -> dict[str, str]:
    timestamp = str(int(time.time() if at is None else at))
    digest = hmac.new(secret.encode(), timestamp.encode() + body, hashlib.sha256).digest()
    return {
        "X-Prolific-Request-Signature": base64.b64encode(digest).decode(),
        "X-Prolific-Request-Timestamp": timestamp,
    }


def send(body: bytes, headers: dict[str, str]) -> int:
    path = "/api/recruiters/prolific/events"
    return Client().post(path, body, content_type="application/json", headers=headers).status_code


def event(submission: str, status: str) -> bytes:
    return json.dumps({"event_type": "submission.status.change", "resource_id": submission, "status": status}).encode()


def test_a_returned_submission_frees_its_place(prolific: StandIn) -> None:
    signed_in("rita", Role.RESEARCHER)
    studies.visible_batch()
    study = studies.study(groups=GROUPS)
    returned = took_part(study, "p1", "s1", accepted=None)
    stays = took_part(study, "p2", "s2", accepted=None)
    taken = studies.slot_counts()["assigned"]
    body = event("s1", "RETURNED")
    assert send(body, signed(body)) == 204
    lease = Session.objects.get(pk=returned.pk).lease_until
    assert lease is not None
    assert lease <= timezone.now() < (Session.objects.get(pk=stays.pk).lease_until or timezone.now())
    sessions.release_abandoned()
    assert studies.slot_counts()["assigned"] == taken // 2
    # other events change nothing
    for other in (event("s2", "AWAITING REVIEW"), event("s9", "RETURNED")):
        assert send(other, signed(other)) == 204
    assert (Session.objects.get(pk=stays.pk).lease_until or timezone.now()) > timezone.now()


@pytest.mark.parametrize("forged", ["another secret", "old", "nothing", "another body"])
def test_an_event_that_is_not_signed_by_prolific_is_refused(prolific: StandIn, forged: str) -> None:
    body = event("s1", "RETURNED")
    headers = {
        "another secret": signed(body, secret="guessed"),
        "old": signed(body, at=time.time() - 600),
        "nothing": {},
        "another body": signed(body + b" "),
    }[forged]
    assert send(body, headers) == 403
    assert send(body, signed(body)) == 204


def test_without_a_secret_nobody_is_prolific(settings: Any) -> None:
    settings.PROLIFIC_WEBHOOK_SECRET = ""
    body = event("s1", "RETURNED")
    assert send(body, signed(body, secret="")) == 403


def test_what_is_signed_and_no_event_is_named(prolific: StandIn) -> None:
    assert send(b"[]", signed(b"[]")) == 400
