"""Every kind of answer carries every header, whether it is a page, a film, an error or Django's own."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from accounts.models import Role
from config import middleware
from health import probe
from testing import studies
from testing.web import participant, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.services]

SAME_EVERYWHERE = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": middleware.PERMISSIONS,
}


def broken() -> bool:
    raise RuntimeError("as if the code had a fault")


def answers(monkeypatch: pytest.MonkeyPatch, settings: Any) -> dict[str, Any]:
    """One answer of each kind, by what it is."""
    settings.X_ACCEL = True
    (settings.FRONTEND_DIST / "index.html").write_text("<!doctype html><title>Eyelevel</title>")
    (settings.FRONTEND_DIST / "assets").mkdir()
    (settings.FRONTEND_DIST / "assets" / "index-Ab12_-xY.js").write_text("export {}")
    settings.WHITENOISE_ROOT = str(settings.FRONTEND_DIST)
    admin = signed_in("anna", Role.ADMIN)
    admin.raise_request_exception = False
    studies.visible_batch()
    fielding = studies.study().fieldings.get()
    person, session = participant(fielding.slug)
    form = Client(enforce_csrf_checks=True)
    form.cookies.load(admin.cookies.output(header=""))
    by_kind = {
        "page": admin.get("/"),
        "built file": admin.get("/assets/index-Ab12_-xY.js"),
        "file that is gone": admin.get("/assets/gone.js"),
        "method that is none": admin.delete("/"),
        "film": person.get(session["trials"][0]["clip"]["url"]),
        "film of nobody": person.get("/clips/nothing"),
        "answer": admin.get("/api/research/studies"),
        "nobody signed in": Client().get("/api/research/studies"),
        "path that is none": admin.get("/api/nothing"),
        "body that is none": admin.post("/api/accounts", "{", content_type="application/json"),
        "body that is too large": admin.post("/api/auth/login", "x" * 1_100_000, content_type="application/json"),
        "name that is not ours": admin.get("/", headers={"Host": "evil.example"}),
        "login of Django's": Client().get("/django-admin/login/"),
        "way to that login": Client().get("/django-admin/"),
        "form from elsewhere": form.post("/django-admin/logout/"),
        "style of Django's": admin.get("/static/admin/css/base.css"),
        **{f"list of {name}": admin.get(f"/django-admin/{name}/") for name in ADMIN_LISTS},
        "page of Django's that is none": admin.get("/django-admin/nothing/"),
    }
    monkeypatch.setattr(probe, "_database_answers", broken)
    by_kind["fault in an answer"] = admin.get("/api/health")
    settings.FRONTEND_DIST = None
    by_kind["fault in a page"] = admin.get("/")
    for answer in by_kind.values():
        if answer.streaming:  # a file that stays open is complained of in whichever test runs next
            answer.close()
    return by_kind


ADMIN_LISTS = ("accounts/user", "accounts/apitoken", "audit/auditentry", "studies/study", "ratings/vote")
STATUSES = {
    "file that is gone": 404,
    "method that is none": 405,
    "film of nobody": 404,
    "nobody signed in": 401,
    "path that is none": 404,
    "body that is none": 400,
    "body that is too large": 413,
    "name that is not ours": 400,
    "login of Django's": 302,
    "way to that login": 302,
    "form from elsewhere": 403,
    "page of Django's that is none": 404,
    "fault in an answer": 500,
    "fault in a page": 500,
}


def test_every_kind_of_answer_has_every_header(monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path) -> None:
    settings.FRONTEND_DIST = tmp_path
    by_kind = answers(monkeypatch, settings)
    assert {what: answer.status_code for what, answer in by_kind.items()} == dict.fromkeys(by_kind, 200) | STATUSES
    for what, answer in by_kind.items():
        lacking = {name: value for name, value in SAME_EVERYWHERE.items() if answer.get(name) != value}
        assert lacking == {}, what
        policy = answer["Content-Security-Policy"]
        assert "default-src 'none'" in policy, what
        assert "script-src 'self'" in policy, what
        assert "unsafe" not in policy, what
        answer.close()


def test_no_html_of_the_server_has_what_the_policy_refuses(
    monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path
) -> None:
    settings.FRONTEND_DIST = tmp_path
    pages = {
        what: answer.content.decode()
        for what, answer in answers(monkeypatch, settings).items()
        if not answer.streaming and "html" in answer.get("Content-Type", "")
    }
    assert len(pages) >= 8
    for what, html in pages.items():
        for refused in ("<style", " style=", "<script>", " onclick=", "javascript:"):
            assert refused not in html, (what, refused)


def test_answers_are_not_kept_by_browsers(settings: Any) -> None:
    assert signed_in("anna", Role.ADMIN).get("/api/accounts")["Cache-Control"] == "no-store"
