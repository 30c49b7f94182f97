"""The list of metrics, and values of them."""

from typing import Any

import pytest

from eyelevel_core.model.metrics import (
    BROWSER_FIELDS,
    COMPARED,
    FIELDS,
    MAIN,
    METRICS,
    PLAIN_FIELDS,
    VISUAL_FIELDS,
    complete,
    known,
    plain,
)


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


def test_only_what_is_known_is_stored_in_the_order_of_the_list() -> None:
    assert list(known({"cls": 0, "si_ms": None, "fvc_ms": 1.5}).items()) == [("fvc_ms", 1.5), ("cls", 0.0)]
    assert complete(known({"cls": 0.125})) == dict.fromkeys(FIELDS) | {"cls": 0.125}


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"cls_ms": 1.0}, "Unknown metric cls_ms; use one of fvc_ms, si_ms,"),
        ({"si_ms": "1.0"}, "si_ms is '1.0'; it must be a finite number"),
        ({"si_ms": True}, "si_ms is True; it must be a finite number"),
        ({"si_ms": float("nan")}, "si_ms is nan; it must be a finite number"),
        ({"si_ms": float("inf")}, "si_ms is inf; it must be a finite number"),
    ],
)
def test_no_other_field_and_nothing_but_a_finite_number_is_stored(values: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        known(values)
