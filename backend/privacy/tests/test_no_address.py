"""No table has a place for a network address or for what a browser calls itself."""

import pytest
from django.db import connection

pytestmark = [pytest.mark.django_db, pytest.mark.services]

TELLING = """
SELECT table_name || '.' || column_name FROM information_schema.columns
WHERE table_schema = 'public'
  AND (data_type IN ('inet', 'cidr', 'macaddr') OR column_name ~ '(^|_)(ip|address|addr|agent|referer|host)(_|$)')
"""


def telling() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(TELLING)
        return [row[0] for row in cursor.fetchall()]


def test_there_is_none() -> None:
    assert telling() == []


def test_one_would_be_found() -> None:
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE visits (seen inet, remote_addr text, user_agent text, flip text)")
    assert sorted(telling()) == ["visits.remote_addr", "visits.seen", "visits.user_agent"]
