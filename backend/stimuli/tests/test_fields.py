"""The metrics of a take in the database, and the list of metrics that the API has."""

import pytest
from django.db import connection
from django.test import Client

from accounts.models import Role
from eyelevel_core.model.metrics import FIELDS, METRICS
from stimuli.models import Take
from testing import studies
from testing.votes import Field

pytestmark = [pytest.mark.django_db, pytest.mark.services]


def test_only_known_metrics_are_stored_and_all_are_read() -> None:
    Field()
    take = Take.objects.get(stack="QUIC")
    take.metrics = {"si_ms": 310, "lcp_ms": None, "cls": 0.1}
    take.save()
    with connection.cursor() as cursor:
        cursor.execute("SELECT metrics::text FROM stimuli_take WHERE id = %s", [take.pk])
        assert cursor.fetchone() == ('{"cls": 0.1, "si_ms": 310.0}',)
    take.refresh_from_db()
    assert tuple(take.metrics) == FIELDS
    assert take.metrics == dict.fromkeys(FIELDS) | {"si_ms": 310.0, "cls": 0.1}
    assert Take.objects.filter(metrics__si_ms__gt=300, metrics__si_ms__lt=311).get() == take
    assert Take.objects.values_list("metrics__cls", flat=True).get(pk=take.pk) == 0.1


@pytest.mark.parametrize("metrics", [{"speed_ms": 1.0}, {"si_ms": "1.0"}, {"si_ms": float("nan")}, {"cls": True}])
def test_nothing_else_is_stored(metrics: dict[str, object]) -> None:
    Field()
    for save in (Take.objects.update, lambda metrics: Take.objects.bulk_create([Take(run=1, metrics=metrics)])):
        with pytest.raises(ValueError, match=r"it must be a finite number|Unknown metric"):
            save(metrics=metrics)


def test_the_api_lists_every_metric_in_order() -> None:
    client = Client()
    client.force_login(studies.user("owner", Role.RESEARCHER))
    metrics = client.get("/api/metrics").json()
    assert [(metric["key"], metric["field"], metric["group"]) for metric in metrics] == [
        (metric.key, metric.field, metric.group) for metric in METRICS
    ]
    assert (metrics[0]["name"], metrics[0]["name_de"]) == ("first visual change", "erste sichtbare Änderung")
