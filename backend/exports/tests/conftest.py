"""A researcher who may export."""

import pytest
from django.test import Client

from accounts.models import Role
from testing import studies


@pytest.fixture
def rosa(client: Client) -> Client:
    client.force_login(studies.user("rosa", Role.RESEARCHER))
    return client
