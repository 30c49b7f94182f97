"""A page has settled when load has fired and 3 s have passed without a request in flight or a changed frame."""

import pytest

from eyelevel.loads.inside.browsing.settle import Settling
from eyelevel.motion.counting import Counting
from eyelevel.quiet import counts
from eyelevel_core.model.mask import Region


def loaded() -> Settling:
    settling = Settling(3000)
    settling.loaded(1000)
    return settling


def test_a_page_that_has_not_loaded_never_settles() -> None:
    assert Settling(3000).settled_at_ms(60_000) is None


def test_the_quiet_begins_with_load_if_nothing_comes_later() -> None:
    assert loaded().settled_at_ms(3999) is None
    assert loaded().settled_at_ms(4000) == 4000


def test_a_changed_frame_begins_the_quiet_anew() -> None:
    settling = loaded()
    settling.frame_changed(2500)
    assert settling.settled_at_ms(5499) is None
    assert settling.settled_at_ms(5600) == 5500


def test_a_request_in_flight_keeps_the_page_from_settling_however_long() -> None:
    settling = loaded()
    settling.request_began(1, 900)
    assert settling.settled_at_ms(50_000) is None
    settling.request_ended(1, 50_000)
    assert settling.settled_at_ms(53_000) == 53_000


def test_the_end_of_a_request_that_did_not_count_begins_nothing_anew() -> None:
    settling = loaded()
    settling.request_ended(9, 3000)
    assert settling.settled_at_ms(4000) == 4000


def test_a_page_that_sends_itself_elsewhere_must_load_again() -> None:
    settling = loaded()
    settling.document_began(1500)
    assert settling.settled_at_ms(9000) is None
    settling.loaded(6000)
    assert settling.settled_at_ms(9000) == 9000


@pytest.mark.parametrize("ask_at_ms", [4_000, 4_050, 60_000])
@pytest.mark.parametrize("what", ["a frame", "a request", "a document"])
def test_what_comes_after_a_page_has_settled_does_not_move_that_moment(what: str, ask_at_ms: float) -> None:
    settling = loaded()
    match what:
        case "a frame":
            settling.frame_changed(4_001)
        case "a request":
            settling.request_began(2, 4_001)
        case _:
            settling.document_began(4_001)
    assert settling.settled_at_ms(ask_at_ms) == 4_000


def test_events_count_in_the_order_of_their_times_however_late_they_are_reported() -> None:
    """A request was heard of at once, a frame before it only when the recorder said so."""
    settling = loaded()
    settling.request_began(2, 4_100)
    settling.request_ended(2, 4_200)
    assert settling.settled_at_ms(3_900) is None
    settling.frame_changed(3_950)
    assert settling.settled_at_ms(4_300) is None
    assert settling.settled_at_ms(60_000) == 7_200


def test_a_region_that_stays_empty_had_not_appeared_whenever_that_is_asked() -> None:
    """Its slack of 1.5 s ends before the page could settle, so the quiet begins when it became empty."""
    for asked in ([3_900, 9_000], [9_000]):
        settling = Settling(3000, counting=Counting([Region(4, (0, 0, 32, 32), 6.0, 1000.0)]))
        settling.loaded(1000)
        for ms, bits in ((800, 6.0), (2_000, 0.0)):
            settling.frame_changed(ms)
            settling.frame_judged([(1, bits)])
        assert [settling.settled_at_ms(ms) for ms in asked][-1] == 5_000


def masked() -> Settling:
    """Of a page with one moving region, which loads at 1000."""
    settling = Settling(3000, counting=Counting([Region(4, (0, 0, 32, 32), 6.0, 0.0)]))
    settling.loaded(1000)
    return settling


def test_a_page_settles_while_a_region_that_has_appeared_goes_on_moving() -> None:
    settling = masked()
    for ms in range(900, 6_000, 50):
        settling.frame_changed(ms)
        settling.frame_judged([(1, 6.0)])
    assert settling.settled_at_ms(3_999) is None
    assert settling.settled_at_ms(4_000) == 4_000


def test_a_region_that_appears_late_begins_the_quiet_anew_and_so_does_what_changes_outside() -> None:
    settling = masked()
    for ms, parts in ((2_000, [(1, 0.0)]), (2_500, [(1, 6.0)]), (5_000, [(0, 0.0), (1, 5.5)])):
        settling.frame_changed(ms)
        settling.frame_judged(parts)
    assert settling.settled_at_ms(7_999) is None
    assert settling.settled_at_ms(8_000) == 8_000


def test_a_frame_that_is_not_judged_yet_may_count() -> None:
    settling = masked()
    settling.frame_changed(3_500)
    assert not settling.nearly_settled(1_500)
    assert settling.settled_at_ms(9_000) is None
    settling.frame_judged([(1, 6.0)])
    assert settling.settled_at_ms(9_000) == 6_500


def test_what_changed_in_a_frame_may_be_told_before_its_time() -> None:
    settling = masked()
    settling.frame_judged([(1, 6.0)])
    settling.frame_judged([(0, 0.0)])
    settling.frame_changed(1_500)
    settling.frame_changed(2_000)
    assert settling.settled_at_ms(9_000) == 5_000


def test_a_probe_settles_by_its_network_alone() -> None:
    settling = Settling(30_500, network_only=True)
    settling.loaded(1000)
    settling.frame_changed(20_000)
    assert settling.settled_at_ms(31_500) == 31_500


@pytest.mark.parametrize(
    ("kind", "url", "expected"),
    [
        ("image", "https://garden.example/a.png", True),
        ("fetch", "https://garden.example/poll", True),
        ("eventsource", "https://garden.example/events", False),
        ("websocket", "wss://garden.example/", False),
        ("ping", "https://garden.example/beacon", False),
        ("image", "data:image/png;base64,", False),
        ("script", "blob:https://garden.example/1", False),
    ],
)
def test_what_has_no_end_to_wait_for_does_not_count(kind: str, url: str, expected: bool) -> None:
    assert counts(kind, url) is expected


def test_the_network_rests_a_fifth_of_the_quiet_after_load_and_the_last_request() -> None:
    settling = Settling(3000)
    settling.request_began(1, 500)
    assert not settling.network_rests(9_000)
    settling.loaded(10_000)
    assert not settling.network_rests(20_000)
    settling.request_ended(1, 21_000)
    assert not settling.network_rests(21_599)
    assert settling.network_rests(21_600)


def test_the_network_rests_whatever_frames_do_and_before_they_are_judged() -> None:
    for settling in (loaded(), masked()):
        settling.frame_changed(1_400)
        settling.frame_changed(1_590)
        assert settling.network_rests(1_600)
        assert settling.settled_at_ms(1_600) is None


def test_a_document_is_new_until_it_could_have_settled() -> None:
    settling = Settling(3000)
    assert not settling.has_new_document(500)
    settling.document_began(1000)
    assert settling.has_new_document(3999)
    assert not settling.has_new_document(4000)
