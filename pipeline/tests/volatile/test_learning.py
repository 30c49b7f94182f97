"""Which parameters are volatile (rule M8), with parameters planted that select content."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eyelevel.volatile.learning import Recorded, learn
from eyelevel.volatile.urls import Parameters, split_url, without
from eyelevel_core.contracts import check
from eyelevel_core.model.volatile import Callback, Volatile

DIGEST = "ab" * 32
AD = "https://ads.example/ad"


def names(found: Volatile) -> list[tuple[str, str, str]]:
    return [(parameter.host, parameter.path, parameter.parameter) for parameter in found.parameters]


def test_a_parameter_that_differs_and_selects_nothing_is_volatile() -> None:
    found = learn(DIGEST, [f"{AD}?rnd=1"], [f"{AD}?rnd=2"], [Recorded(f"{AD}?rnd=9", b"picture")])
    assert names(found) == [("ads.example", "/ad", "rnd")]
    assert found.parameters[0].why == (
        "differs between two loads (1 and 2); the recorded answers left without it are equal"
    )
    assert found.callbacks == ()
    check(found.as_json(), "volatile.1", source="volatile.json")


def test_why_shows_the_values_from_where_they_differ() -> None:
    start = "https%3A%2F%2Fa.example%2Farbiter%3Fversion%3D42%23cb%3D"
    one, other = (f"{AD}?back={start}f{number}&v=1" for number in (1, 2))
    found = learn(DIGEST, [one], [other], [Recorded(f"{AD}?back={start}f9&v=1", b"")])
    assert found.parameters[0].why.startswith("differs between two loads (...D42%23cb%3Df1 and ...D42%23cb%3Df2);")


def test_a_parameter_that_selects_content_stays_though_it_differs() -> None:
    recorded = [Recorded(f"{AD}?id={number}&rnd=0", f"picture {number}".encode()) for number in (1, 2, 3)]
    found = learn(DIGEST, [f"{AD}?id=1&rnd=4"], [f"{AD}?id=2&rnd=5"], recorded)
    assert names(found) == [("ads.example", "/ad", "rnd")]


def test_parameters_that_select_content_together_all_stay() -> None:
    recorded = [Recorded(f"{AD}?page={page}&of={of}", f"{page} {of}".encode()) for page in (1, 2) for of in (1, 2)]
    assert names(learn(DIGEST, [f"{AD}?page=1&of=1"], [f"{AD}?page=2&of=2"], recorded)) == []


def test_a_parameter_that_is_the_same_in_both_loads_is_not_volatile() -> None:
    assert names(learn(DIGEST, [f"{AD}?v=1"], [f"{AD}?v=1"], [Recorded(f"{AD}?v=2", b"")])) == []


def test_a_load_that_only_asked_for_more_does_not_differ() -> None:
    found = learn(DIGEST, [f"{AD}?page=1"], [f"{AD}?page=1", f"{AD}?page=2"], [Recorded(f"{AD}?page=1", b"one")])
    assert names(found) == []


def test_a_number_without_a_name_is_volatile_where_it_selects_nothing() -> None:
    same = [Recorded(f"{AD}?0.4711", b"picture"), Recorded(f"{AD}?0.1234", b"picture")]
    assert names(learn(DIGEST, [f"{AD}?0.5"], [f"{AD}?0.6"], same)) == [("ads.example", "/ad", "=")]
    other = [Recorded(f"{AD}?1", b"one"), Recorded(f"{AD}?2", b"two")]
    assert names(learn(DIGEST, [f"{AD}?1"], [f"{AD}?2"], other)) == []


def test_what_was_never_recorded_has_no_volatile_parameter() -> None:
    assert (
        names(learn(DIGEST, [f"{AD}?rnd=1"], [f"{AD}?rnd=2"], [Recorded("https://ads.example/other?rnd=3", b"")])) == []
    )


def test_only_the_parameter_of_that_host_and_path_is_volatile() -> None:
    recorded = [Recorded("https://ads.example/ad?t=7", b""), Recorded("https://shop.example/ad?t=7", b"")]
    found = learn(
        DIGEST, [f"{AD}?t=1", "https://shop.example/ad?t=1"], [f"{AD}?t=2", "https://shop.example/ad?t=1"], recorded
    )
    assert names(found) == [("ads.example", "/ad", "t")]


def test_a_volatile_parameter_whose_value_is_called_by_the_recorded_answer_is_a_callback() -> None:
    for opening in (
        b"a.cb9(", b"/**/ typeof a.cb9 === 'function' && a.cb9(", b"/**/a.cb9 (", b"\xef\xbb\xbfa.cb9(", b";a.cb9(",
        b"try{a.cb9(", b"window.a.cb9 (", b"/* v1 */a.cb9(",
    ):  # fmt: skip
        recorded = [Recorded("https://api.example/q?callback=a%2Ecb9&_=9", opening + b"{});")]
        found = learn(
            DIGEST,
            ["https://api.example/q?callback=cb1&_=1"],
            ["https://api.example/q?callback=cb2&_=2"],
            recorded,
        )
        assert [name for *_, name in names(found)] == ["_", "callback"]
        assert found.callbacks == (Callback("api.example", "/q", "callback"),), opening


@pytest.mark.parametrize(
    "body", [b"(function(){cb9({})})()", b"parent.cb9({})", b"if(window.cb9)cb9({})", b"var x = 1; cb9({})"]
)
def test_a_function_that_the_testbed_cannot_rename_is_not_volatile(body: bytes) -> None:
    recorded = [Recorded("https://api.example/q?cb=cb9&_=9", body)]
    found = learn(DIGEST, ["https://api.example/q?cb=cb1&_=1"], ["https://api.example/q?cb=cb2&_=2"], recorded)
    assert ([name for *_, name in names(found)], found.callbacks) == (["_"], ())


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("cb9", b"window['cb9']({})"),
        ("cb9", b'self[ "cb9" ]({})'),
        ("cb9", b"cb9.call(null, {})"),
        ("cb9", b"var cb9 = {}"),
        ("cbs[9]", b"cbs[9]({})"),
    ],
)
def test_a_function_that_a_script_names_in_another_way_is_not_volatile(name: str, body: bytes) -> None:
    recorded = [Recorded(f"https://api.example/q?cb={name}&_=9", body, script=True)]
    found = learn(DIGEST, ["https://api.example/q?cb=cb1&_=1"], ["https://api.example/q?cb=cb2&_=2"], recorded)
    assert ([name for *_, name in names(found)], found.callbacks) == (["_"], ())


@pytest.mark.parametrize(
    "body", [b'f({"id": "abc9"})', b"f('/x?rnd=abc9&b=it\\'s')", b"var abc91 = $abc9", b"f({'abc9': 1})"]
)
def test_a_value_that_a_script_has_in_its_strings_is_volatile(body: bytes) -> None:
    recorded = [Recorded(f"{AD}?rnd=abc9", body, script=True)]
    assert names(learn(DIGEST, [f"{AD}?rnd=a1"], [f"{AD}?rnd=a2"], recorded)) == [("ads.example", "/ad", "rnd")]


def test_a_script_that_is_not_decoded_keeps_what_may_name_a_function() -> None:
    recorded = [Recorded("https://api.example/q?cb=cb9&_=9", b"\x8b\x03\x80", sealed=True)]
    found = learn(DIGEST, ["https://api.example/q?cb=cb1&_=1"], ["https://api.example/q?cb=cb2&_=2"], recorded)
    assert ([name for *_, name in names(found)], found.callbacks) == (["_"], ())


def test_a_value_that_the_recorded_answer_only_mentions_is_volatile() -> None:
    recorded = [Recorded(f"{AD}?rnd=abc9", b'{"id": "abc9", "xabc9": f(1)}')]
    assert names(learn(DIGEST, [f"{AD}?rnd=a1"], [f"{AD}?rnd=a2"], recorded)) == [("ads.example", "/ad", "rnd")]


def test_answers_that_differ_in_what_they_pass_on_have_two_bodies() -> None:
    recorded = [Recorded(f"https://api.example/q?cb=f{n}", b"f%d(f%d)" % (n, n)) for n in (7, 8)]
    assert names(learn(DIGEST, ["https://api.example/q?cb=f1"], ["https://api.example/q?cb=f2"], recorded)) == []


def test_answers_that_differ_only_in_the_name_they_call_have_one_body() -> None:
    recorded = [Recorded(f"https://api.example/q?cb=f{n}", b"f%d({})" % n) for n in (7, 8)]
    found = learn(DIGEST, ["https://api.example/q?cb=f1"], ["https://api.example/q?cb=f2"], recorded)
    assert [name for *_, name in names(found)] == ["cb"]


def test_a_value_that_is_no_name_of_a_function_makes_no_callback() -> None:
    recorded = [Recorded(f"{AD}?x=(", b"((1)")]
    assert learn(DIGEST, [f"{AD}?x=1"], [f"{AD}?x=2"], recorded).callbacks == ()


def test_the_first_answer_of_a_url_that_was_recorded_twice_counts() -> None:
    recorded = [Recorded(f"{AD}?rnd=9", b"first"), Recorded(f"{AD}?rnd=9", b"second")]
    assert names(learn(DIGEST, [f"{AD}?rnd=1"], [f"{AD}?rnd=2"], recorded)) == [("ads.example", "/ad", "rnd")]


def test_a_url_that_cannot_be_read_is_passed_over() -> None:
    assert names(learn(DIGEST, ["https://[broken/?a=1"], ["https://[broken/?a=2"], [])) == []


def test_a_parameter_of_the_path_is_volatile_under_the_path_without_it() -> None:
    pixel = "https://ads.example/pixel;r={};a=p1;labels=;url=http%3A%2F%2Fa.example"
    found = learn(DIGEST, [pixel.format(1)], [pixel.format(2)], [Recorded(pixel.format(9), b"GIF")])
    assert names(found) == [("ads.example", "/pixel", ";r")]
    check(found.as_json(), "volatile.1", source="volatile.json")


def test_a_parameter_of_the_path_that_selects_content_stays() -> None:
    place = "https://ads.example/adi/N1;sz={};ord={}?"
    recorded = [Recorded(place.format(size, 7), size.encode()) for size in ("300x250", "160x600")]
    asked = [place.format("300x250", 1), place.format("160x600", 2)]
    found = learn(DIGEST, asked[:1], asked[1:], recorded)
    assert names(found) == [("ads.example", "/adi/N1", ";ord")]


def test_a_function_that_the_path_names_is_a_callback() -> None:
    url = "https://ads.example/js;cb={}"
    found = learn(DIGEST, [url.format("f1")], [url.format("f2")], [Recorded(url.format("f9"), b"f9({})")])
    assert found.callbacks == (Callback("ads.example", "/js", ";cb"),)


NAMES = st.sampled_from(["id", "page", "rnd", "t"])
QUERIES = st.dictionaries(NAMES, st.sampled_from(["0", "1", "2"]), min_size=1).map(
    lambda chosen: "&".join(f"{name}={value}" for name, value in sorted(chosen.items()))
)
URLS = st.lists(QUERIES.map(lambda query: f"{AD}?{query}"), min_size=1, max_size=6)
ANSWERS = st.lists(
    st.builds(Recorded, QUERIES.map(lambda query: f"{AD}?{query}"), st.sampled_from([b"", b"a", b"b"])), max_size=8
)


@given(URLS, URLS, ANSWERS)
def test_without_its_volatile_parameters_no_request_could_get_two_bodies(
    one: list[str], other: list[str], recorded: list[Recorded]
) -> None:
    ignored = {name for *_, name in names(learn(DIGEST, one, other, recorded))}
    first: dict[Parameters, bytes] = {}
    for answer in recorded:
        first.setdefault(split_url(answer.url)[1], answer.body)
    bodies: dict[Parameters, set[bytes]] = {}
    for parameters, body in first.items():
        bodies.setdefault(without(parameters, ignored), set()).add(body)
    assert not ignored or all(len(found) == 1 for found in bodies.values())


@given(URLS, URLS, ANSWERS, st.randoms())
def test_neither_the_order_of_requests_nor_which_load_came_first_matters(
    one: list[str], other: list[str], recorded: list[Recorded], chance: object
) -> None:
    shuffled = list(one)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]  # hypothesis gives a Random
    assert names(learn(DIGEST, one, other, recorded)) == names(learn(DIGEST, other, shuffled, recorded))


@given(URLS, ANSWERS)
def test_two_equal_loads_have_no_volatile_parameter(urls: list[str], recorded: list[Recorded]) -> None:
    assert names(learn(DIGEST, urls, urls, recorded)) == []
