"""A page has settled when load has fired and 3 s have passed without a request in flight or a changed frame."""

import pytest

from eyelevel.capture.inside.settle import Settling, counts


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
    settling.request_began(1)
    assert settling.settled_at_ms(50_000) is None
    settling.request_ended(1, 50_000)
    assert settling.settled_at_ms(53_000) == 53_000


def test_the_end_of_a_request_that_did_not_count_begins_nothing_anew() -> None:
    settling = loaded()
    settling.request_ended(9, 3000)
    assert settling.settled_at_ms(4000) == 4000


def test_a_page_that_sends_itself_elsewhere_must_load_again() -> None:
    settling = loaded()
    settling.document_began()
    assert settling.settled_at_ms(9000) is None
    settling.loaded(6000)
    assert settling.settled_at_ms(9000) == 9000


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
