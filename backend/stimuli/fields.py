"""The column that stores the metrics of a take."""

from typing import Any

from django.db import models
from django.db.models.expressions import Expression
from django.db.models.fields.json import KeyTransform

from eyelevel_core.model.metrics import complete, known


class MetricsField(models.JSONField):
    """Metrics by field, as one JSON object that has the known ones only; those read have all, None where unknown.

    Raise ValueError where something else than a metric, or than a finite number, is saved.
    """

    def get_db_prep_save(self, value: Any, connection: Any) -> Any:
        return super().get_db_prep_save(known(value), connection)

    def from_db_value(self, value: Any, expression: Expression, connection: Any) -> Any:
        loaded = super().from_db_value(value, expression, connection)
        # of a right take that is not there, or one metric alone
        return loaded if loaded is None or isinstance(expression, KeyTransform) else complete(loaded)
