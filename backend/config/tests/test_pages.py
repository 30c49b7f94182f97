"""Every path that is not the API's gives the one page, under a strict policy."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from testing.web import stranger


@pytest.fixture
def visitor(settings: Any, tmp_path: Path) -> Client:
    settings.FRONTEND_DIST = tmp_path
    (tmp_path / "index.html").write_text("<!doctype html><title>Eyelevel</title>")
    return stranger()


@pytest.mark.parametrize("path", ["/", "/s/abc", "/research/studies/1", "/admin"])
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
