"""A metric counts from the frame that shows it; a clip that was cut has no value of what came later."""

from eyelevel.batch.grid import censored, on_grid, shown_metrics
from eyelevel.batch.timeline import Timing

# the third change comes in one frame with the second
CURVE = [(0.0, 0.0), (101.0, 40.0), (401.0, 90.0), (410.0, 80.0), (900.0, 100.0)]
FILM = {"fvc_ms": 101.0, "si_ms": 379.0, "vc85_ms": 900.0, "lvc_ms": 900.0}
LONG, CUT = Timing(60, 2000), Timing(60, 500)


def test_a_change_counts_from_the_frame_that_shows_it() -> None:
    # frames 7, 25 (both) and 54
    found = on_grid(CURVE, LONG)
    assert found == {"fvc_ms": 116.667, "si_ms": 393, "vc85_ms": 900.0, "lvc_ms": 900.0}


def test_a_clip_that_shows_it_all_has_all_values() -> None:
    assert shown_metrics(FILM, CURVE, LONG) == on_grid(CURVE, LONG)


def test_of_a_cut_clip_only_what_came_before_is_known() -> None:
    assert shown_metrics(FILM, CURVE, CUT) == {"fvc_ms": 116.667, "si_ms": None, "vc85_ms": None, "lvc_ms": None}


def test_what_was_measured_of_a_cut_clip_is_as_unknown() -> None:
    measured = {"fvc_ms": 116.667, "si_ms": 200.0, "vc85_ms": 400.0, "lvc_ms": 416.667}
    assert censored([measured, measured], [FILM, FILM], [CUT, LONG]) == [
        {"fvc_ms": 116.667, "si_ms": None, "vc85_ms": None, "lvc_ms": None},
        measured,
    ]


def test_an_unknown_metric_stays_unknown() -> None:
    assert shown_metrics(dict.fromkeys(FILM), [(0.0, 100.0)], LONG) == dict.fromkeys(FILM)
