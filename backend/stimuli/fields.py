"""Model field that stores the metrics of a take."""

from typing import Any

from django.db import models
from django.db.models.expressions import Expression
from django.db.models.fields.json import KeyTransform

from eyelevel_core.model.metrics import complete, known


class MetricsField(models.JSONField):
    """Metrics by field name; stored as a JSON object of known metrics, read with all metrics, None if unknown.

    Raises ValueError if anything but a metric with a finite number is saved.
    """

    def get_db_prep_save(self, value: Any, connection: Any) -> Any:
        return super().get_db_prep_save(known(value), connection)

    def from_db_value(self, value: Any, expression: Expression, connection: Any) -> Any:
        loaded = super().from_db_value(value, expression, connection)
        # null for a missing right take; a plain value for a single metric
        return loaded if loaded is None or isinstance(expression, KeyTransform) else complete(loaded)
