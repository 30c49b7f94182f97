"""Of a clip that ends early, metrics that came later are unknown; what is no moment is judged by another metric."""

from eyelevel_core.model.censoring import until
from eyelevel_core.model.metrics import FIELDS


def test_later_metrics_are_unknown_and_earlier_ones_stay() -> None:
    values = dict.fromkeys(FIELDS, 1000.0) | {"fvc_ms": 100.0, "plt_ms": 500.0, "lcp_ms": 500.1}
    found = until(500.0, values)
    assert (found["fvc_ms"], found["plt_ms"], found["lcp_ms"], found["vc85_ms"]) == (100.0, 500.0, None, None)


def test_speed_index_is_known_once_the_last_change_is() -> None:
    values = dict.fromkeys(FIELDS) | {"si_ms": 300.0, "lvc_ms": 800.0, "si_plain_ms": 900.0, "lvc_plain_ms": 700.0}
    assert (until(799.0, values)["si_ms"], until(800.0, values)["si_ms"]) == (None, 300.0)
    assert until(750.0, values)["si_plain_ms"] == 900.0


def test_what_is_on_no_clip_is_not_cut_off() -> None:
    values = dict.fromkeys(FIELDS) | {"tbt_ms": 700.0, "cls": 0.1}
    assert until(10.0, values) == values
