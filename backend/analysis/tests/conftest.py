"""Fixtures of the tests of analyses."""

import pytest

from analysis import tasks


@pytest.fixture
def wanted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The results whose tables in depth a worker was called for, in the broker's place."""
    called: list[int] = []
    monkeypatch.setattr(tasks.compute_in_depth, "delay", called.append)
    return called
