"""Of a clip that ends early, metrics that came later are unknown; what is no moment is judged by another metric."""

from eyelevel_core.model.censoring import final, until
from eyelevel_core.model.metrics import FIELDS


def test_later_metrics_are_unknown_and_earlier_ones_stay() -> None:
    values = dict.fromkeys(FIELDS, 1000.0) | {"fvc_ms": 100.0, "plt_ms": 500.0, "lcp_ms": 500.1}
    found = until(500.0, values)
    assert (found["fvc_ms"], found["plt_ms"], found["lcp_ms"], found["vc85_ms"]) == (100.0, 500.0, None, None)


def test_speed_index_is_known_once_the_last_change_is() -> None:
    values = dict.fromkeys(FIELDS) | {"si_ms": 300.0, "lvc_ms": 800.0, "si_plain_ms": 900.0, "lvc_plain_ms": 700.0}
    assert (until(799.0, values)["si_ms"], until(800.0, values)["si_ms"]) == (None, 300.0)
    assert until(750.0, values)["si_plain_ms"] == 900.0


def test_blocking_time_is_known_once_the_page_is_interactive_and_layout_shift_never() -> None:
    values = dict.fromkeys(FIELDS) | {"tbt_ms": 700.0, "tti_ms": 900.0, "cls": 0.1, "cls_sum": 0.2}
    assert (until(899.0, values)["tbt_ms"], until(900.0, values)["tbt_ms"]) == (None, 700.0)
    assert [until(60_000.0, values)[name] for name in ("cls", "cls_sum")] == [None, None]


def test_of_a_page_that_did_not_settle_what_needs_the_end_is_unknown() -> None:
    values = dict.fromkeys(FIELDS, 1000.0)
    assert final(values, settled=True) == values
    known = {name for name, value in final(values, settled=False).items() if value is not None}
    assert known == {"fvc_ms", "fvc_plain_ms", "plt_ms", "fcp_ms", "tti_ms", "dcl_ms", "ttfb_ms"}
