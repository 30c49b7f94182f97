"""A study, and every kind of account that may request it."""

import json
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import batches
import yaml
from django.test import Client
from django.utils import timezone

from accounts.models import ApiToken, Role, Scope, User
from accounts.reset_links import TOKENS
from analysis.models import ResultOrigin
from exports.models import ExportJob
from ratings.models import Session, Trial
from ratings.tombstones import living
from studies.models import Fielding, ShareLevel, Study, StudyShare
from testing import studies
from testing.people import QUESTION
from testing.web import JSON, SCREEN, Browser, participant, play_body, vote_body

UUID = "6f1c2a34-0000-4000-8000-000000000000"
ROLES = {
    "passer-by": Role.GUEST,
    "guest": Role.GUEST,
    "outsider": Role.RESEARCHER,
    "reader": Role.RESEARCHER,
    "editor": Role.RESEARCHER,
    "owner": Role.RESEARCHER,
    "admin": Role.ADMIN,
}
LEVELS = {"guest": ShareLevel.READ, "reader": ShareLevel.READ, "editor": ShareLevel.EDIT}


@dataclass
class World:
    """The objects that the requests of the access table name."""

    study: Study
    fielding: Fielding
    users: dict[str, User]
    client: Client
    trial: dict[str, Any]
    clip_token: str

    def path(self, template: str) -> str:
        clip = self.study.stimuli.select_related("clip").order_by("number")[0].clip
        of_batch = template.startswith("/api/batches")
        return template.format(
            sha256=clip.batch_id if of_batch else self.study.sha256,
            digest="0" * 64 if template.endswith("blobs/{digest}") else clip.sha256,
            slug=self.fielding.slug,
            username="reader",
            session_id="none",
            job_id=self.study.export_jobs.get().pk,
            token_id=ApiToken.objects.get(user=self.users["owner"], name="own").pk,
            play_id=UUID,
            vote_id=UUID,
            clip_token=self.clip_token,
            key=QUESTION["key"],
        )

    def ask(self, method: str, template: str) -> Any:
        """Send what a page or program would, so that the response depends only on who sends it."""
        body, content_type = self._body(method, template)
        return self.client.generic(method, self.path(template), body, content_type=content_type)

    def _body(self, method: str, template: str) -> tuple[bytes, str]:
        if (method, template) == ("POST", "/api/research/studies"):
            return yaml.safe_dump(studies.design(name="another")).encode(), "application/yaml"
        if (method, template) == ("POST", "/api/batches"):
            return batches.folder().manifest_bytes, JSON
        return json.dumps(self._json(template)).encode(), JSON

    def _json(self, template: str) -> Any:
        session = {"session_id": self.client.session_id if isinstance(self.client, Browser) else UUID}
        return {
            "/api/auth/login": {"username": "owner", "password": studies.PASSWORD},
            "/api/auth/password": {"current": studies.PASSWORD, "new": "a staple of batteries"},
            "/api/auth/reset/check": {"account": "reader", "token": TOKENS.make_token(self.users["reader"])},
            "/api/auth/reset": {
                "account": "reader",
                "token": TOKENS.make_token(self.users["reader"]),
                "new": "a staple of batteries",
            },
            "/api/auth/second-factor/confirm": {"code": "000000"},
            "/api/auth/second-factor/off": {"password": studies.PASSWORD, "code": "000000"},
            "/api/auth/second-factor/recovery-codes": {"password": studies.PASSWORD, "code": "000000"},
            "/api/auth/tokens": {"name": "mine", "scope": "results"},
            "/api/accounts": {"username": "newcomer", "role": "guest"},
            "/api/accounts/{username}/role": {"role": "guest"},
            "/api/accounts/{username}/active": {"active": False},
            "/api/research/fieldings/{slug}/state": {"state": "paused"},
            "/api/research/fieldings/{slug}/preview": {"language": "en", "consent_version": "1", "screen": SCREEN},
            "/api/research/studies/{sha256}/shares/{username}": {"level": "edit"},
            "/api/participate/{slug}/sessions": {"language": "en", "consent_version": "1", "screen": SCREEN},
            "/api/session/person": session | {"answers": {"age": "old"}},
            "/api/session/plays/{play_id}": session | play_body(self.trial),
            "/api/session/votes/{vote_id}": session | vote_body(self.trial),
            "/api/session/controls/{key}": session | {"choice": QUESTION["right"]},
            "/api/session/play-failures": session | {"position": 1, "fault": "undecodable"},
            "/api/session/finish": session | {"skipped": []},
            "/api/withdrawals": session,
            "/api/withdrawals/lookup": {"completion_code": "ABCDEFGHJK"},
            "/api/research/studies/{sha256}/books/prolific": {"group": "nobody", "study_id": "s", "token": "t"},
            "/api/research/studies/{sha256}/books": {"group": "nobody", "format": "other", "text": ""},
            "/api/research/studies/{sha256}/recruiter-ids/forget": {"confirm": self.study.name},
            "/api/research/studies/{sha256}/archive": {"archived": True},
            "/api/research/studies/{sha256}/deletion": {"confirm": self.study.name},
            "/api/batches/{sha256}/deletion": {"confirm": self.study.batch.campaign},
        }.get(template, {})


def world(actor: str) -> World:
    """The study and all people, with the browser or program of this actor."""
    studies.visible_batch()
    users = {name: studies.user(name, role) for name, role in ROLES.items()}
    study = studies.study(owner=users["owner"], controls={"questions": [QUESTION]})
    fielding = study.fieldings.get()
    for name, level in LEVELS.items():
        StudyShare.objects.create(study=study, user=users[name], level=level)
    ApiToken.issue(user=users["owner"], name="own", scope=Scope.RESULTS)
    now = timezone.now()
    fields = {"origin": ResultOrigin.PERSON, "votes": 0, "asked_at": now, "moved_at": now}
    ExportJob.objects.create(study=study, asked_by=users["owner"], snapshot_sha256="0" * 64, **fields)
    browser, session = participant(fielding.slug)
    token = Trial.objects.filter(session=Session.objects.get(pk=session["id"]), position=1).get().clip_token
    return World(
        study=study,
        fielding=fielding,
        users=users,
        client=browser if actor == "participant" else _client(actor, users),
        trial=session["trials"][0],
        clip_token=living(token),
    )


def _client(actor: str, users: dict[str, User]) -> Client:
    if actor == "stranger":
        return Client()
    if actor in users:
        client = Client()
        client.force_login(users[actor])
        return client
    scope = Scope(actor) if actor in Scope.values else Scope.STUDIES
    owner = users["admin" if scope == Scope.BATCHES else "owner"]
    if actor == "demoted":
        owner = studies.user("demoted", Role.GUEST)
    ends = timezone.now() + timedelta(seconds=-1 if actor == "expired" else 3600)
    token = ApiToken.issue(user=owner, name=actor, scope=scope, expires_at=ends)
    return Client(headers={"Authorization": f"Bearer {token}"})
