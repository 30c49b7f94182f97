"""The progress of a campaign must not take processor time from the page that loads."""

from eyelevel.capture.progress import Talk


def test_the_bar_is_drawn_once_a_second() -> None:
    assert Talk(runs=2, taken=0)._bar.live.refresh_per_second == 1
