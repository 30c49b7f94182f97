"""Every class and contract that has a field per metric has those of the one table, in its order."""

from dataclasses import fields
from typing import get_args

import pytest

from eyelevel_core.contracts import schema
from eyelevel_core.contracts.columns import export_columns
from eyelevel_core.model.metrics import FIELDS, KEYS, METRICS, VISUAL_FIELDS, MetricKey
from eyelevel_stats.study import ClipMetrics, PointRow


def test_the_type_of_a_key_names_every_metric() -> None:
    assert get_args(MetricKey) == KEYS


def test_keys_labels_and_fields() -> None:
    assert [(metric.key, metric.label, metric.field) for metric in METRICS] == [
        ("fvc", "FVC", "fvc_ms"),
        ("si", "SI", "si_ms"),
        ("vc85", "VC85", "vc85_ms"),
        ("lvc", "LVC", "lvc_ms"),
        ("plt", "PLT", "plt_ms"),
    ]
    assert FIELDS[:4] == VISUAL_FIELDS


@pytest.mark.parametrize("contract", ["take.1", "batch.1"])
def test_contracts_require_every_metric(contract: str) -> None:
    found = schema(contract)["properties"]
    metrics = found["metrics"] if contract == "take.1" else found["takes"]["items"]["properties"]["metrics"]
    assert tuple(metrics["properties"]) == tuple(metrics["required"]) == FIELDS


def test_a_curve_has_every_metric_of_the_film() -> None:
    found = schema("progress.1")
    assert tuple(found["properties"]) == tuple(found["required"]) == (*VISUAL_FIELDS, "progress")


@pytest.mark.parametrize("side", ["", "left_", "right_"])
def test_an_export_has_a_column_per_metric_and_side(side: str) -> None:
    wanted = [f"{side}{name}" for name in FIELDS]
    assert [column.name for column in export_columns() if column.name in wanted] == wanted


def test_rows_of_results_have_a_field_per_metric() -> None:
    assert ClipMetrics._fields == FIELDS
    assert tuple(field.name for field in fields(PointRow))[-len(FIELDS) :] == FIELDS
