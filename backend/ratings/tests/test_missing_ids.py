"""Visits without a recruiter's id that were counted per link are kept when they are counted per day."""

from datetime import date
from importlib import import_module

import pytest
from django.db import connection
from django.utils import timezone

from ratings.models import ProblemShown
from ratings.recruitment import MISSING_ID
from testing import studies

pytestmark = [pytest.mark.django_db, pytest.mark.services]

MOVE = import_module("ratings.migrations.0004_delete_missingid").MOVE
EARLIER = date(2026, 11, 1)


@pytest.mark.parametrize(
    ("visits", "by_day", "moved"),
    [
        pytest.param(7, {}, {"today": 7}, id="before there were counts per day"),
        pytest.param(7, {"earlier": 3, "today": 1}, {"earlier": 3, "today": 4}, id="partly"),
        pytest.param(7, {"earlier": 7}, {"earlier": 7}, id="all since"),
        pytest.param(7, {"today": 9}, {"today": 9}, id="counts per day have more"),
    ],
)
def test_a_visit_is_moved_once(visits: int, by_day: dict[str, int], moved: dict[str, int]) -> None:
    studies.visible_batch()
    fielding = studies.study().fieldings.get()
    days = {"earlier": EARLIER, "today": timezone.now().date()}
    for name, times in by_day.items():
        ProblemShown.objects.create(fielding=fielding, code=MISSING_ID, day=days[name], times=times)
    ProblemShown.objects.create(fielding=fielding, code="full", day=EARLIER, times=5)
    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMPORARY TABLE ratings_missingid (fielding_id bigint, visits integer) ON COMMIT DROP")
        cursor.execute("INSERT INTO ratings_missingid VALUES (%s, %s)", [fielding.pk, visits])
        cursor.execute(MOVE)
    found = ProblemShown.objects.filter(code=MISSING_ID).values_list("day", "times")
    assert dict(found) == {days[name]: times for name, times in moved.items()}
    assert ProblemShown.objects.get(code="full").times == 5
