"""Stacks are compared by what they were served before load, whatever order it came in."""

from collections import Counter

from eyelevel_core.comparability.content import (
    Arm,
    Served,
    answers_before_load,
    arm,
    compare,
    counts,
    digest,
    fidelity,
    served,
    with_cached,
)
from eyelevel_core.model.scene import Answer, ContentMismatch, LateContent
from eyelevel_core.model.wire import ServedRequest
from tests.loads.seen import response

ORIGINS = ("garden.example:443",)
PAGE, STYLE, LATE, ICON = (f"https://garden.example/{name}" for name in ("", "a.css", "late.json", "favicon.ico"))


def request(url: str, *, body_bytes: int = 10, kind: str = "exact") -> ServedRequest:
    matched = None if kind == "miss" else url.partition("?")[0]
    return ServedRequest(url, "GET", matched_url=matched, status=200, body_bytes=body_bytes, kind=kind)


def test_only_requests_begun_before_load_and_known_to_the_page_count() -> None:
    responses = [response(PAGE), response(STYLE), response(LATE, before_load=False)]
    requests = [request(PAGE), request(STYLE), request(ICON), request(LATE)]
    assert served(answers_before_load(responses, requests)) == [(PAGE, 200, 10), (STYLE, 200, 10)]


def test_a_url_asked_for_twice_counts_twice_unless_the_cache_answered() -> None:
    requests = [request(STYLE), request(STYLE)]
    twice = served(answers_before_load([response(STYLE), response(STYLE)], requests))
    once = served(answers_before_load([response(STYLE), response(STYLE, from_cache=True)], requests))
    assert (len(twice), len(once)) == (2, 1)
    assert digest(twice) != digest(once)


def test_a_request_repeated_after_load_does_not_take_the_place_of_the_first() -> None:
    responses = [response(STYLE), response(STYLE, before_load=False)]
    requests = [request(STYLE, body_bytes=10), request(STYLE, body_bytes=99)]
    assert served(answers_before_load(responses, requests)) == [(STYLE, 200, 10)]


def test_a_fragment_never_reaches_a_server() -> None:
    assert len(answers_before_load([response(f"{PAGE}#top")], [request(PAGE)])) == 1


def test_counts_tell_how_answers_were_found() -> None:
    answers = [request(PAGE), request(f"{STYLE}?v=1", kind="inexact"), request(LATE, kind="miss"), request(LATE)]
    answers.append(request(f"{STYLE}?r=1", kind="equivalent"))
    assert counts(answers) == {"exact": 2, "equivalent": 1, "inexact": 1, "missed": 1}
    assert counts([request(PAGE, kind="preflight")]) == {"exact": 0, "equivalent": 0, "inexact": 0, "missed": 0}


def test_what_was_never_recorded_is_counted_but_not_in_the_multiset() -> None:
    answers = [request(PAGE), request(LATE, kind="miss")]
    assert served(answers) == [(PAGE, 200, 10)]
    assert counts(answers)["missed"] == 1


def test_an_answer_that_the_browser_hid_from_the_page_was_still_served() -> None:
    assert len(answers_before_load([response(PAGE, status=None)], [request(PAGE)])) == 1


def test_order_does_not_matter_to_the_digest() -> None:
    assert digest([(PAGE, 200, 1), (STYLE, 404, 2)]) == digest([(STYLE, 404, 2), (PAGE, 200, 1)])


def an_arm(*before_load: Served, after: tuple[Served, ...] = ()) -> Arm:
    return Arm(Counter(before_load), Counter([*before_load, *after]))


PAGE_SERVED, STYLE_SERVED, LATE_SERVED = (PAGE, 200, 1), (STYLE, 200, 2), (LATE, 200, 3)


def named(entry: Served) -> Answer:
    return Answer(*entry)


def test_equal_takes_have_no_differences() -> None:
    assert compare({"TCP+": an_arm(PAGE_SERVED), "QUIC": an_arm(PAGE_SERVED)}).differences == ()
    assert compare({}).differences == ()


def test_the_take_that_differs_is_named_with_what_it_lacks_and_adds() -> None:
    usual, odd = an_arm(PAGE_SERVED, STYLE_SERVED), an_arm(PAGE_SERVED, LATE_SERVED, LATE_SERVED)
    compared = compare({"a": usual, "b": odd, "c": usual})
    assert compared.differences == (ContentMismatch("b", (named(STYLE_SERVED),), (named(LATE_SERVED),) * 2),)
    assert compared.across_load == ()


def test_of_two_takes_that_differ_the_fuller_is_the_model() -> None:
    compared = compare({"a": an_arm(PAGE_SERVED), "b": an_arm(PAGE_SERVED, STYLE_SERVED)})
    assert compared.differences == (ContentMismatch("a", (named(STYLE_SERVED),), ()),)


def test_what_one_arm_asked_for_before_load_and_another_after_is_no_difference_but_named() -> None:
    quick = an_arm(PAGE_SERVED, after=(LATE_SERVED,))
    slow = an_arm(PAGE_SERVED, LATE_SERVED)
    compared = compare({"QUIC": quick, "TCP+": slow})
    assert compared.differences == ()
    assert compared.across_load == (LateContent("QUIC", (named(LATE_SERVED),)),)


def test_what_no_arm_asked_for_before_load_is_not_compared() -> None:
    compared = compare({"QUIC": an_arm(PAGE_SERVED, after=(LATE_SERVED, LATE_SERVED)), "TCP+": an_arm(PAGE_SERVED)})
    assert (compared.differences, compared.across_load) == ((), ())


def test_another_answer_to_the_same_url_is_a_difference_on_whichever_side_of_load() -> None:
    broken = (LATE, 200, 2)
    compared = compare({"QUIC": an_arm(PAGE_SERVED, after=(broken,)), "TCP+": an_arm(PAGE_SERVED, LATE_SERVED)})
    assert compared.differences == (ContentMismatch("QUIC", (named(LATE_SERVED),), ()),)


def test_an_arm_is_read_from_what_the_browser_saw_and_the_servers_told() -> None:
    responses = [response(PAGE), response(LATE, before_load=False), response(STYLE, from_cache=True)]
    read = arm(responses, [request(PAGE), request(ICON), request(LATE), request(STYLE)], ORIGINS)
    assert read == an_arm((PAGE, 200, 10), after=((LATE, 200, 10),))


def test_what_was_answered_without_the_servers_came_from_the_cache() -> None:
    responses = [response(PAGE), response(STYLE), response(STYLE), response(LATE, status=None)]
    marked = with_cached(responses, [request(PAGE), request(STYLE), request(ICON)])
    assert [x.from_cache for x in marked] == [False, False, True, False]


def test_what_lacks_where_the_network_failed_a_request_is_an_outcome() -> None:
    silent = response(STYLE, status=None, failure="net::ERR_TIMED_OUT")
    late = response(LATE, status=None, before_load=False, failure="net::ERR_TIMED_OUT")
    lost = arm([response(PAGE), silent, late], [request(PAGE)], ORIGINS)
    assert lost.failed == (STYLE,)
    whole = arm([response(PAGE), response(STYLE)], [request(PAGE), request(STYLE)], ORIGINS)
    compared = compare({"QUIC": lost, "TCP": whole, "TCP+": whole})
    assert (compared.differences, compared.network_failed) == ((), {"QUIC": (STYLE,)})
    # they are not what others are held against either
    assert compare({"a": lost, "b": lost, "c": whole}).differences == ()


def test_a_request_that_was_not_made_or_failed_by_a_fault_is_a_difference() -> None:
    whole = arm([response(PAGE), response(STYLE)], [request(PAGE), request(STYLE)], ORIGINS)
    broken = response(STYLE, status=None, failure="net::ERR_NAME_NOT_RESOLVED")
    for responses in ([response(PAGE)], [response(PAGE), broken]):
        lacking = arm(responses, [request(PAGE)], ORIGINS)
        compared = compare({"QUIC": lacking, "TCP": whole, "TCP+": whole})
        assert [difference.take for difference in compared.differences] == ["QUIC"]
        assert compared.network_failed == {}


def test_fidelity_is_unknown_where_the_load_event_never_fired() -> None:
    found = fidelity([request(PAGE), request(STYLE, kind="equivalent")])
    assert (found.exact, found.equivalent, found.missed) == (1, 1, 0)
    assert fidelity(None).exact is None
