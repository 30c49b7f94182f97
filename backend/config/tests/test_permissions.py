"""Who may call what: every endpoint that needs an account, by a stranger, a researcher, an admin and two programs."""

import pytest
from django.test import Client

from accounts.models import Role, Scope, User
from config.api import api
from testing.web import signed_in, stranger, with_token

pytestmark = [pytest.mark.django_db, pytest.mark.services]

DIGEST = "0" * 64
ACTORS = ("stranger", "researcher", "admin", "batches token", "studies token")
# let in: whatever the answer is, it is not about who asks
IN, WHO, NO = "in", 401, 403
ENDPOINTS: dict[tuple[str, str], tuple[int | str, ...]] = {
    ("POST", "/api/auth/logout"): (WHO, IN, IN, NO, NO),
    ("POST", "/api/batches"): (WHO, NO, IN, IN, NO),
    ("GET", "/api/batches"): (WHO, NO, IN, IN, NO),
    ("GET", "/api/batches/{sha256}"): (WHO, NO, IN, IN, NO),
    ("PUT", "/api/batches/{sha256}/blobs/{digest}"): (WHO, NO, IN, IN, NO),
    ("POST", "/api/batches/{sha256}/commit"): (WHO, NO, IN, IN, NO),
    ("GET", "/api/batches/{sha256}/clips/{digest}"): (WHO, IN, IN, NO, NO),
    ("GET", "/api/research/studies"): (WHO, IN, IN, NO, IN),
    ("POST", "/api/research/studies"): (WHO, IN, IN, NO, IN),
    ("GET", "/api/research/studies/{sha256}"): (WHO, IN, IN, NO, IN),
    ("GET", "/api/research/studies/{sha256}/results"): (WHO, IN, IN, NO, IN),
    ("GET", "/api/research/studies/{sha256}/export"): (WHO, IN, IN, NO, IN),
    ("GET", "/api/research/studies/{sha256}/exports"): (WHO, IN, IN, NO, IN),
    ("GET", "/api/research/studies/{sha256}/privacy"): (WHO, IN, IN, NO, IN),
    ("POST", "/api/research/studies/{sha256}/recruiter-ids/forget"): (WHO, IN, IN, NO, NO),
    ("GET", "/api/research/studies/{sha256}/conformance"): (WHO, IN, IN, NO, IN),
    ("GET", "/api/research/studies/{sha256}/conformance/sessions"): (WHO, IN, IN, NO, IN),
    ("GET", "/api/research/studies/{sha256}/conformance/accepted.csv"): (WHO, IN, IN, NO, NO),
    ("POST", "/api/research/fieldings/{slug}/state"): (WHO, IN, IN, NO, NO),
}
OPEN = {
    ("GET", "/api/health"),
    ("GET", "/api/auth/me"),
    ("POST", "/api/auth/login"),
    ("GET", "/api/participate/{slug}"),
    ("POST", "/api/participate/{slug}/sessions"),
    ("GET", "/api/session"),
    ("PUT", "/api/session/person"),
    ("PUT", "/api/session/plays/{play_id}"),
    ("PUT", "/api/session/controls/{key}"),
    ("PUT", "/api/session/votes/{vote_id}"),
    ("POST", "/api/session/finish"),
    ("GET", "/api/withdrawals/own"),
    ("POST", "/api/withdrawals/lookup"),
    ("POST", "/api/withdrawals"),
}


def client_of(actor: str) -> Client:
    if actor == "stranger":
        return stranger()
    if actor.endswith("token"):
        return with_token(Scope(actor.split(maxsplit=1)[0]))
    return signed_in(actor, Role(actor))


@pytest.mark.parametrize("actor", ACTORS)
def test_everyone_gets_what_the_table_says(actor: str) -> None:
    column = ACTORS.index(actor)
    expected = {endpoint: row[column] for endpoint, row in ENDPOINTS.items()}
    found = {}
    for method, path in ENDPOINTS:
        # a new browser each time: one of the calls signs out
        User.objects.all().delete()
        client = client_of(actor)
        where = path.format(sha256=DIGEST, digest=DIGEST, slug="none")
        status = client.generic(method, where, b"{}", content_type="application/json").status_code
        found[method, path] = status if status in (401, 403) else IN
    assert found == expected


def test_the_table_names_every_endpoint() -> None:
    paths = api.get_openapi_schema()["paths"]
    there = {(method.upper(), path) for path, methods in paths.items() for method in methods}
    assert there == set(ENDPOINTS) | OPEN
