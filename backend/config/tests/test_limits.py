"""A request is refused by its length, before anybody reads it."""

import re
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from accounts.models import Scope
from config.limits import limit_bytes
from testing.web import with_token

MIB = 1024**2
# of sizes in nginx's configuration
UNITS = {"m": MIB, "g": 1024 * MIB}


@pytest.mark.parametrize(
    ("method", "path", "limit"),
    [
        ("POST", "/api/auth/login", MIB),
        ("PUT", "/api/session/votes/1", MIB),
        ("POST", "/django-admin/login/", MIB),
        ("POST", "/api/batches", 16_000_000),
        ("PUT", "/api/batches/1/blobs/2", 2048 * MIB),
        ("POST", "/api/batches/1/blobs/2", MIB),
        ("PUT", "/api/batches/1/blobs/2/3", MIB),
    ],
)
def test_each_address_has_its_limit(method: str, path: str, limit: int) -> None:
    assert limit_bytes(method, path) == limit


def test_the_containers_proxy_takes_what_the_platform_takes() -> None:
    text = (settings.REPOSITORY / "backend" / "proxy" / "nginx.conf").read_text()
    sizes = [int(number) * UNITS[unit] for number, unit in re.findall(r"client_max_body_size (\d+)([mg]);", text)]
    paths = [("POST", "/api/research/studies"), ("POST", "/api/batches"), ("PUT", "/api/batches/1/blobs/2")]
    assert len(sizes) == len(paths)
    for size, (method, path) in zip(sizes, paths, strict=True):
        assert limit_bytes(method, path) <= size < 2 * limit_bytes(method, path)


def test_a_length_over_the_limit_is_refused_unread() -> None:
    answer = Client().generic("POST", "/api/auth/login", b"{}", headers={"Content-Length": str(MIB + 1)})
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "too_large")
    at_limit: Any = Client().generic("POST", "/nothing", b"x" * MIB)
    assert at_limit.status_code == 405


@pytest.mark.parametrize("length", ["-1", "many", "1e9"])
def test_a_length_that_is_none_is_refused(length: str) -> None:
    assert Client().generic("POST", "/api/auth/login", b"{}", headers={"Content-Length": length}).status_code == 413


@pytest.mark.django_db
@pytest.mark.services
def test_json_that_nests_without_end_is_bad_input_and_no_fault() -> None:
    deep = b"[" * 400_000
    answer = Client().post("/api/auth/login", deep, content_type="application/json")
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "not_json")
    manifest = with_token(Scope.BATCHES).post("/api/batches", deep, content_type="application/json")
    assert (manifest.status_code, manifest.json()["error"]["code"]) == (422, "bad_manifest")
