"""When a probe has watched a page for long enough."""

import pytest

from eyelevel.loads.inside.browsing.watch import Watch


def watch(rest_ms: float | None = None) -> Watch:
    """A page that loads at 1 s, with a request until 1.4 s: its network is quiet at 1.9 s."""
    made = Watch(500.0, watched_ms=30_000.0, rest_ms=rest_ms)
    made.document_began(100.0)
    made.request_began(1, 200.0)
    made.loaded(1_000.0)
    made.request_ended(1, 1_400.0)
    return made


def test_it_is_watched_from_when_the_network_was_quiet_whatever_is_requested_later() -> None:
    seen = watch()
    assert not seen.network_rests(1_899.0)
    assert seen.network_rests(1_900.0)
    seen.request_began(2, 5_000.0)  # a poll, which does not end
    assert seen.settled_at_ms(31_899.0) is None
    assert (seen.nearly_settled(28_800.0), seen.nearly_settled(28_900.0)) == (False, True)
    assert seen.settled_at_ms(31_900.0) == 31_900.0


@pytest.mark.parametrize(
    ("frames_ms", "end_ms"),
    [([], 12_400), ([300, 1_200], 12_400), ([2_900], 13_400), ([2_900, 13_400], 23_900), ([2_900, 13_401], 13_400),
     ([4_000 * n for n in range(1, 9)], 31_900)],
)  # fmt: skip
def test_a_screen_that_is_still_ends_the_watch(frames_ms: list[float], end_ms: float) -> None:
    seen = watch(rest_ms=10_500.0)
    for ms in frames_ms:
        seen.frame_changed(ms)
    assert seen.settled_at_ms(end_ms - 1.0) is None
    assert seen.settled_at_ms(end_ms) == end_ms
    assert seen.settled_at_ms(60_000.0) == end_ms


def test_changes_matter_only_where_rest_ends_the_watch() -> None:
    seen = watch()
    assert seen.settled_at_ms(31_900.0) == 31_900.0
    seen.frame_changed(40_000.0)
    assert seen.settled_at_ms(60_000.0) == 31_900.0


def test_a_new_document_is_watched_anew_and_a_page_that_reloads_for_ever_never_for_long_enough() -> None:
    seen = watch()
    assert seen.settled_at_ms(6_000.0) is None
    seen.document_began(6_100.0)
    seen.loaded(6_500.0)
    assert seen.settled_at_ms(36_999.0) is None
    assert seen.settled_at_ms(37_000.0) == 37_000.0
    again = watch()
    for second in range(2, 90):
        again.document_began(1_000.0 * second)
        again.loaded(1_000.0 * second + 100)
        assert again.settled_at_ms(1_000.0 * second + 900) is None
