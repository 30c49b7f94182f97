"""The migrations make the tables that the models describe."""

import pytest
from django.core.management import call_command

pytestmark = [pytest.mark.django_db, pytest.mark.services]


def test_no_model_differs_from_its_migration() -> None:
    call_command("makemigrations", "--check", "--dry-run", verbosity=0)
