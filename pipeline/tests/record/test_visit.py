"""A page that goes away while it is recorded ends its own visit, and not the command."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest
from playwright.sync_api import Error

from eyelevel.errors import UnreachableError
from eyelevel.record import visit as visiting
from eyelevel.record.quiet import Network
from eyelevel.record.visit import Visited, visit
from eyelevel_core.model.device import Viewport

URL = "https://garden.example/"


class Page:
    """Goes away when one of its methods, `leaves_at`, is called."""

    def __init__(self, leaves_at: str) -> None:
        self.leaves_at = leaves_at
        self.told: dict[str, Callable[[Any], None]] = {}

    def __getattr__(self, name: str) -> Callable[..., Any]:
        answers = {"title": "Garden", "screenshot": b"picture"}

        def method(*_: object, **__: object) -> Any:
            if name == self.leaves_at:
                raise Error("Execution context was destroyed.\nCall log:\n")
            return answers.get(name)

        return method

    def on(self, event: str, handler: Callable[[Any], None]) -> None:
        self.told[event] = handler

    def goto(self, url: str, **_: object) -> Any:
        self.told["request"](SimpleNamespace(url=url, resource_type="document"))
        return SimpleNamespace(ok=True)


def visited(monkeypatch: pytest.MonkeyPatch, leaves_at: str) -> Visited:
    @contextmanager
    def opened(*_: object) -> Iterator[Page]:
        yield Page(leaves_at)

    monkeypatch.setattr(visiting, "_page", opened)
    monkeypatch.setattr(Network, "wait", lambda *_: None)
    return visit(URL, executable="chromium", port=1, viewport=Viewport(1280, 720), limit_s=1, script="")


@pytest.mark.parametrize("leaves_at", ["evaluate", "wait_for_timeout"])
def test_a_page_that_leaves_while_it_is_scrolled_is_kept_as_it_was(
    monkeypatch: pytest.MonkeyPatch, leaves_at: str
) -> None:
    assert visited(monkeypatch, leaves_at) == Visited("Garden", b"picture", (URL,))


@pytest.mark.parametrize("leaves_at", ["title", "screenshot"])
def test_a_page_that_leaves_before_its_screenshot_is_unreachable(
    monkeypatch: pytest.MonkeyPatch, leaves_at: str
) -> None:
    with pytest.raises(UnreachableError) as caught:
        visited(monkeypatch, leaves_at)
    assert str(caught.value) == f"No screenshot could be taken of {URL}: Execution context was destroyed."
