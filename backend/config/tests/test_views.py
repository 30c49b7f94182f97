"""Every path that is not the API's gives the one page, under a strict policy."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from accounts.models import Role
from testing import studies
from testing.web import signed_in, stranger


@pytest.fixture
def visitor(settings: Any, tmp_path: Path) -> Client:
    settings.FRONTEND_DIST = tmp_path
    (tmp_path / "index.html").write_text("<!doctype html><title>Eyelevel</title>")
    return stranger()


@pytest.mark.parametrize("path", ["/", "/withdraw", "/research/studies/1", "/admin"])
def test_the_page_finds_its_way_by_itself(visitor: Client, path: str) -> None:
    response = visitor.get(path)
    assert (response.status_code, response["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert b"<title>Eyelevel</title>" in response.content
    assert response["Cache-Control"] == "no-cache"


def test_the_policy_lets_no_foreign_and_no_inline_script_in(visitor: Client) -> None:
    policy = dict(part.strip().split(" ", 1) for part in visitor.get("/")["Content-Security-Policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert policy["media-src"] == "'self' blob:"
    assert policy["frame-ancestors"] == "'none'"
    assert "unsafe" not in str(policy)


@pytest.mark.parametrize("path", ["/api/nothing", "/assets/gone.js", "/static/gone.css"])
def test_what_is_missing_is_not_a_page(visitor: Client, path: str) -> None:
    assert visitor.get(path).status_code == 404


def test_a_page_takes_no_post(visitor: Client) -> None:
    assert visitor.post("/").status_code == 405


def test_pages_that_are_not_built_say_how_to_build_them(visitor: Client, settings: Any) -> None:
    settings.FRONTEND_DIST = Path("/nonexistent")
    response = visitor.get("/")
    assert (response.status_code, b"npm run build" in response.content) == (503, True)


def test_built_files_are_kept_by_browsers_and_the_policy_holds_for_them_too(visitor: Client, settings: Any) -> None:
    assets = settings.FRONTEND_DIST / "assets"
    assets.mkdir()
    (assets / "index-Ab12_-xY.js").write_text("export {}")
    settings.WHITENOISE_ROOT = str(settings.FRONTEND_DIST)
    response: Any = visitor.get("/assets/index-Ab12_-xY.js")
    assert (response.status_code, b"".join(response.streaming_content)) == (200, b"export {}")
    assert response["Cache-Control"] == "max-age=315360000, public, immutable"
    assert "script-src 'self'" in response["Content-Security-Policy"]
    assert response["X-Content-Type-Options"] == "nosniff"


@pytest.mark.django_db  # closing a response closes the connections of the request
@pytest.mark.services
def test_the_admin_pages_have_their_style(visitor: Client) -> None:
    response = visitor.get("/static/admin/css/base.css")
    assert (response.status_code, response["Content-Type"]) == (200, 'text/css; charset="utf-8"')
    response.close()


@pytest.mark.django_db
@pytest.mark.services
def test_the_admin_pages_are_for_admins() -> None:
    assert [signed_in(role, Role(role)).get("/django-admin/").status_code for role in Role.values] == [302, 302, 200]
    assert stranger().get("/django-admin/").status_code == 302


@pytest.mark.django_db
@pytest.mark.services
def test_nobody_changes_a_vote_in_the_admin_pages() -> None:
    studies.visible_batch()
    session, _ = studies.start(studies.study().fieldings.get())
    vote = studies.vote(session.trials.get(position=1))
    admin = signed_in("anna", Role.ADMIN)
    path = f"/django-admin/ratings/vote/{vote.id}"
    assert admin.get(f"{path}/change/").status_code == 200
    assert admin.post(f"{path}/change/", {"replays": 9}).status_code == 403
    assert admin.post(f"{path}/delete/", {"post": "yes"}).status_code == 403
    assert admin.get("/django-admin/ratings/vote/add/").status_code == 403
