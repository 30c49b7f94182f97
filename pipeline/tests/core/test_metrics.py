"""Every class and contract that has a field per metric has those of the one table, in its order."""

from dataclasses import fields
from typing import get_args

import pytest

from eyelevel_core.contracts import schema
from eyelevel_core.contracts.columns import export_columns
from eyelevel_core.model.metrics import (
    BROWSER_FIELDS,
    COMPARED,
    FIELDS,
    KEYS,
    MAIN,
    METRICS,
    PLAIN_FIELDS,
    VISUAL_FIELDS,
    MetricKey,
    complete,
    plain,
)
from eyelevel_stats.observations import ClipMetrics
from eyelevel_stats.rows.study import PointRow


def test_the_type_of_a_key_names_every_metric() -> None:
    assert get_args(MetricKey) == KEYS


def test_keys_labels_and_fields() -> None:
    assert [(metric.key, metric.label, metric.field) for metric in METRICS] == [
        ("fvc", "FVC", "fvc_ms"),
        ("si", "SI", "si_ms"),
        ("vc85", "VC85", "vc85_ms"),
        ("lvc", "LVC", "lvc_ms"),
        ("plt", "PLT", "plt_ms"),
        ("fvc_plain", "FVC plain", "fvc_plain_ms"),
        ("si_plain", "SI plain", "si_plain_ms"),
        ("vc85_plain", "VC85 plain", "vc85_plain_ms"),
        ("lvc_plain", "LVC plain", "lvc_plain_ms"),
        ("fcp", "FCP", "fcp_ms"),
        ("lcp", "LCP", "lcp_ms"),
        ("cls", "CLS", "cls"),
        ("cls_sum", "CLS sum", "cls_sum"),
        ("tbt", "TBT", "tbt_ms"),
        ("tti", "TTI", "tti_ms"),
        ("dcl", "DCL", "dcl_ms"),
        ("ttfb", "TTFB", "ttfb_ms"),
    ]
    assert (FIELDS[:4], FIELDS[5:9], FIELDS[9:]) == (VISUAL_FIELDS, PLAIN_FIELDS, BROWSER_FIELDS)


def test_stacks_are_not_compared_by_metrics_of_the_plain_film() -> None:
    assert (*MAIN, "fcp", "lcp", "cls", "cls_sum", "tbt", "tti", "dcl", "ttfb") == COMPARED
    assert MAIN == ("fvc", "si", "vc85", "lvc", "plt")


def test_what_a_clip_shows_are_the_plain_values() -> None:
    frozen = {"fvc_ms": 1.0, "si_ms": 2.0, "vc85_ms": 3.0, "lvc_ms": 4.0, "plt_ms": 5.0}
    shown = {"fvc_plain_ms": 1.0, "si_plain_ms": 20.0, "vc85_plain_ms": None, "lvc_plain_ms": 40.0}
    assert plain(frozen | shown) == {"fvc_ms": 1.0, "si_ms": 20.0, "vc85_ms": None, "lvc_ms": 40.0}


def test_a_take_from_before_there_were_masks_has_one_set_of_values() -> None:
    earlier = {"fvc_ms": 1.0, "si_ms": 2.0, "vc85_ms": 3.0, "lvc_ms": 4.0, "plt_ms": 5.0}
    assert plain(earlier) == {"fvc_ms": 1.0, "si_ms": 2.0, "vc85_ms": 3.0, "lvc_ms": 4.0}
    assert plain(complete(earlier)) == plain(earlier)
    assert complete(earlier) == earlier | dict.fromkeys((*PLAIN_FIELDS, *BROWSER_FIELDS))


@pytest.mark.parametrize("contract", ["take.1", "batch.1"])
def test_contracts_have_every_metric_and_require_the_main_ones(contract: str) -> None:
    found = schema(contract)["properties"]
    metrics = found["metrics"] if contract == "take.1" else found["takes"]["items"]["properties"]["metrics"]
    assert tuple(metrics["properties"]) == FIELDS
    assert tuple(metrics["required"]) == FIELDS[: len(MAIN)]


def test_a_curve_has_every_metric_of_the_film() -> None:
    found = schema("progress.1")
    assert tuple(found["properties"]) == (*VISUAL_FIELDS, *PLAIN_FIELDS, "appeared_ms", "progress")
    assert tuple(found["required"]) == (*VISUAL_FIELDS, "progress")


@pytest.mark.parametrize("side", ["", "left_", "right_"])
def test_an_export_has_a_column_per_metric_and_side(side: str) -> None:
    wanted = [f"{side}{name}" for name in FIELDS]
    assert [column.name for column in export_columns() if column.name in wanted] == wanted


def test_rows_of_results_have_a_field_per_metric() -> None:
    assert ClipMetrics._fields == FIELDS
    assert tuple(field.name for field in fields(PointRow) if field.name in FIELDS) == FIELDS
