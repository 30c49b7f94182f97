"""Fixtures of the tests of analyses."""

import pytest
from django.test import Client

from accounts.models import Role
from analysis import tasks
from testing import studies


@pytest.fixture
def wanted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The results whose tables in depth a worker was called for, in the broker's place."""
    called: list[int] = []
    monkeypatch.setattr(tasks.compute_in_depth, "delay", called.append)
    return called


@pytest.fixture
def as_rosa(client: Client) -> Client:
    client.force_login(studies.user("rosa", Role.RESEARCHER))
    return client
