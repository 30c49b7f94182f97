"""Who may call what: every endpoint by everybody, from a stranger to an expired token."""

from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from accounts.models import Role
from config.api import api
from health import probe
from testing import studies
from testing.access_table import ACTORS, BESIDE, rows
from testing.world import world

pytestmark = [pytest.mark.django_db, pytest.mark.services]

# these look for the token in ways of their own
WITHOUT_ACCOUNT = (
    "/api/session",
    "/api/participate",
    "/api/withdrawals",
    "/api/recruiters",
    "/api/auth/login",
    "/api/auth/reset",
)
UNSAFE_FOR_ACCOUNTS = [
    (method, path) for method, path in rows() if method != "GET" and not path.startswith(WITHOUT_ACCOUNT)
]


@pytest.fixture(autouse=True)
def _surroundings(settings: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.X_ACCEL = True  # the clips of the batch are rows without files
    settings.FRONTEND_DIST = tmp_path
    (tmp_path / "index.html").write_text("<!doctype html><title>Eyelevel</title>")
    monkeypatch.setattr(probe, "_redis_answers", lambda: True)
    monkeypatch.setattr(probe, "_workers", lambda: probe.WORKERS)


@pytest.mark.parametrize("actor", ACTORS)
def test_everyone_gets_what_the_table_says(actor: str) -> None:
    known = world(actor)
    found = {}
    for method, path in rows():
        # whatever a call changes, the next one finds the world as it was
        before = transaction.savepoint()
        cookies = {name: morsel.value for name, morsel in known.client.cookies.items()}
        found[method, path] = known.ask(method, path).status_code
        transaction.savepoint_rollback(before)
        known.client.cookies.clear()
        known.client.cookies.load(cookies)
    assert found == {endpoint: row[actor] for endpoint, row in rows().items()}


def test_the_table_names_every_endpoint() -> None:
    paths = api.get_openapi_schema()["paths"]
    endpoints = {(method.upper(), path) for path, methods in paths.items() for method in methods}
    assert endpoints == set(rows()) - BESIDE


def test_what_one_does_not_see_and_what_is_not_there_look_alike() -> None:
    known = world("outsider")
    path = f"/api/research/studies/{known.study.sha256}"
    hidden, missing = known.client.get(path), known.client.get(path[:-64] + "0" * 64)
    assert hidden.status_code == missing.status_code == 404
    sentence = hidden.json()["error"]["message"]
    assert sentence.replace(known.study.sha256, "X") == missing.json()["error"]["message"].replace("0" * 64, "X")
    assert known.client.get("/api/research/studies").json() == []


@pytest.mark.parametrize(("method", "path"), UNSAFE_FOR_ACCOUNTS)
def test_without_the_csrf_token_no_account_changes_anything(method: str, path: str) -> None:
    admin = Client(enforce_csrf_checks=True)
    admin.force_login(studies.user("anna", Role.ADMIN))
    where = path.format(sha256="0" * 64, digest="0" * 64, slug="none", username="anna", token_id=1, session_id="none")
    answer = admin.generic(method, where, b"{}", content_type="application/json")
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "csrf_failed")


@pytest.mark.parametrize(("method", "path"), UNSAFE_FOR_ACCOUNTS)
def test_a_form_without_a_boundary_is_refused_with_a_sentence(method: str, path: str) -> None:
    admin = Client(enforce_csrf_checks=True)
    admin.force_login(studies.user("anna", Role.ADMIN))
    admin.cookies["csrftoken"] = "x" * 32
    where = path.format(sha256="0" * 64, digest="0" * 64, slug="none", username="anna", token_id=1, session_id="none")
    answer = admin.generic(method, where, b"x", content_type="multipart/form-data")
    # the token is looked for in the body of a POST only
    expected = (400, "bad_body") if method == "POST" else (403, "csrf_failed")
    assert (answer.status_code, answer.json()["error"]["code"]) == expected
