"""What each cache mode keeps of a first visit, and what on the wire contradicts it."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from eyelevel.capture.attempts.browser_profile import STATE, NetworkState, judge_profile, reduce, state_of
from eyelevel.capture.attempts.cache import judge_cache
from eyelevel.capture.planning.cache_modes import MODES, VISITS
from eyelevel.loads.inside.request import Cause, VoidError
from eyelevel_core.model.response import Response
from eyelevel_core.model.run import CACHES
from eyelevel_core.model.wire import Connection, Flow, ServedRequest
from tests.loads.seen import response

SERVICE = {"advertised_alpns": ["h3"], "expiration": "13400000000000000", "port": 443, "protocol_str": "quic"}
WORKED = {"address": "198.18.0.1", "used_quic": True}
# as Chromium writes it, with what belongs to other modes
STATE_OF_A_VISIT: dict[str, Any] = {
    "net": {
        "http_server_properties": {
            "servers": [
                {
                    "server": "https://a.test",
                    "anonymization": ["GAAAABMAAABodHRwczovL2EudGVzdA==", False],
                    "alternative_service": [SERVICE],
                    "network_stats": {"srtt": 24000},
                    "supports_spdy": True,
                },
                {"server": "https://b.test", "supports_spdy": True, "network_stats": {"srtt": 25000}},
            ],
            "supports_quic": WORKED,
            "quic_servers": [{"server_id": "https://a.test", "server_info": "secret"}],
            "broken_alternative_services": [{"host": "b.test", "broken_count": 1}],
            "version": 5,
        },
        "network_qualities": {"CAASABiAgICA": "4G"},
    },
    "tickets": 1,
}
REDUCED = {
    "net": {
        "http_server_properties": {
            "servers": [
                {
                    "server": "https://a.test",
                    "anonymization": ["GAAAABMAAABodHRwczovL2EudGVzdA==", False],
                    "alternative_service": [SERVICE],
                }
            ],
            "supports_quic": WORKED,
            "version": 5,
        }
    }
}


def test_every_cache_mode_of_the_contract_is_known() -> None:
    assert tuple(MODES) == CACHES
    assert VISITS == {"cold": 1, "http": 2, "altsvc": 2, "tickets": 2, "all": 2}


def test_the_memory_of_alternative_services_has_no_round_trip_and_nothing_else() -> None:
    assert NetworkState.of(STATE_OF_A_VISIT).alternative_services() == REDUCED
    assert NetworkState.of({}).alternative_services() == {
        "net": {"http_server_properties": {"servers": [], "version": None}}
    }


def test_quic_is_known_once_it_was_announced_and_has_worked() -> None:
    assert NetworkState.of(STATE_OF_A_VISIT).knows_quic
    assert NetworkState.of(REDUCED).knows_quic
    assert not NetworkState.of({}).knows_quic
    properties = REDUCED["net"]["http_server_properties"]
    without = {name: value for name, value in properties.items() if name != "supports_quic"}
    assert not NetworkState.of({"net": {"http_server_properties": without}}).knows_quic
    unannounced = {"net": {"http_server_properties": {**properties, "servers": []}}}
    assert not NetworkState.of(unannounced).knows_quic


@pytest.fixture(params=STATE)
def profile(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    folder = tmp_path / "profile"
    place = folder / request.param
    place.parent.mkdir(parents=True)
    place.write_text(json.dumps(STATE_OF_A_VISIT))
    (folder / "Default" / "Cache").mkdir()
    (folder / "Default" / "Cache" / "f_000001").write_bytes(b"page")
    (folder / "Default" / "Cookies").write_bytes(b"cookies")
    return folder


def files(profile: Path) -> list[str]:
    return sorted(str(path.relative_to(profile)) for path in profile.rglob("*") if path.is_file())


def test_http_keeps_all_but_the_memory_of_servers(profile: Path) -> None:
    reduce(profile, "http")
    assert files(profile) == ["Default/Cache/f_000001", "Default/Cookies"]
    assert state_of(profile) == NetworkState()


def test_altsvc_keeps_nothing_but_the_alternative_services(profile: Path) -> None:
    remaining = [name for name in STATE if (profile / name).exists()]
    reduce(profile, "altsvc")
    assert files(profile) == remaining
    assert [json.loads((profile / name).read_text()) for name in remaining] == [REDUCED]


def test_all_keeps_everything(profile: Path) -> None:
    before = files(profile)
    reduce(profile, "all")
    assert files(profile) == before
    assert state_of(profile) == NetworkState.of(STATE_OF_A_VISIT)


def test_altsvc_of_a_visit_that_learned_nothing_is_an_empty_profile(tmp_path: Path) -> None:
    (tmp_path / "profile" / "Default").mkdir(parents=True)
    reduce(tmp_path / "profile", "altsvc")
    assert list((tmp_path / "profile").iterdir()) == []


def test_a_broken_state_voids_the_attempt(profile: Path) -> None:
    (place,) = [profile / name for name in STATE if (profile / name).exists()]
    place.write_text("{")
    with pytest.raises(VoidError, match="Network Persistent State is broken") as caught:
        reduce(profile, "altsvc")
    assert caught.value.cause is Cause.BROKEN_RESULT


def plant(profile: Path, *places: str) -> Path:
    for place in places:
        (profile / place).parent.mkdir(parents=True, exist_ok=True)
        (profile / place).write_text(json.dumps(STATE_OF_A_VISIT))
    return profile


EMPTY = (
    "Default/Cache/Cache_Data/index",
    "Default/Cache/Cache_Data/index-dir/the-real-index",
    "Default/Cache/No_Vary_Search/journal.baj",
)
FULL = (*EMPTY, "Default/Cache/Cache_Data/0123456789abcdef_0")
STYLES = frozenset({"https://a.test/b.css", "https://a.test/a.css"})


class TestPlantedProfiles:
    @pytest.mark.parametrize("discovers", [True, False])
    @pytest.mark.parametrize("place", [*STATE, "Default/Elsewhere/Network Persistent State"])
    def test_http_with_a_memory_of_servers_left_is_void_whatever_the_stack(
        self, tmp_path: Path, place: str, discovers: bool
    ) -> None:
        profile = plant(tmp_path, *FULL, place)
        with pytest.raises(VoidError) as caught:
            judge_profile(profile, "http", discovers=discovers, stored=STYLES)
        assert caught.value.cause is Cause.WRONG_CACHE
        assert caught.value.detail == f"cache mode http keeps no memory of servers, but {place} has one"

    @pytest.mark.parametrize("discovers", [True, False])
    @pytest.mark.parametrize(("cache", "state"), [("http", ()), ("all", STATE[:1])])
    def test_an_empty_cache_that_must_be_full_is_void_whatever_the_stack(
        self, tmp_path: Path, cache: str, state: tuple[str, ...], discovers: bool
    ) -> None:
        plant(tmp_path / "full", *FULL, *state)
        plant(tmp_path / "empty", *EMPTY, *state)
        judge_profile(tmp_path / "full", cache, discovers=discovers, stored=STYLES)
        # a page of which nothing may be stored has no other cache
        judge_profile(tmp_path / "empty", cache, discovers=discovers, stored=())
        for name in ("empty", "none at all"):
            plant(tmp_path / name, *state)
            with pytest.raises(VoidError) as caught:
                judge_profile(tmp_path / name, cache, discovers=discovers, stored=STYLES)
            assert caught.value.cause is Cause.CACHE_NOT_FILLED
            assert caught.value.detail == (
                "the HTTP cache is empty after the first visit, but must contain 2 answers, such as https://a.test/a.css"
            )

    def test_all_without_an_alternative_service_is_void_for_stacks_that_discover_quic(self, tmp_path: Path) -> None:
        profile = plant(tmp_path, *FULL)
        judge_profile(profile, "all", discovers=False, stored=STYLES)
        with pytest.raises(VoidError, match="keeps Chromium's memory of servers, but it has no alternative") as caught:
            judge_profile(profile, "all", discovers=True, stored=STYLES)
        assert caught.value.cause is Cause.CACHE_NOT_FILLED

    def test_altsvc_needs_no_cache(self, tmp_path: Path) -> None:
        judge_profile(plant(tmp_path, STATE[0]), "altsvc", discovers=True, stored=STYLES)


def judged(
    cache: str,
    *flows: tuple[str, float],
    discovers: bool = True,
    responses: Sequence[Response] = (),
    **more: Any,
) -> None:
    judge_cache(
        cache,
        discovers=discovers,
        flows=[Flow(transport, begun_ms) for transport, begun_ms in flows],
        responses=responses,
        requests=[ServedRequest("https://a.test/", "GET", "https://a.test/", 200, 10, "exact")],
        **more,
    )


def connections(*resumed: bool | None) -> list[Connection]:
    return [Connection("198.18.0.1:443", 1, 10, value) for value in resumed]


@pytest.mark.parametrize(
    ("cache", "right", "wrong"), [("cold", "tcp", "quic"), ("http", "tcp", "quic"), ("altsvc", "quic", "tcp")]
)
def test_the_first_packet_of_a_stack_that_discovers_quic_is_as_the_mode_says(
    cache: str, right: str, wrong: str
) -> None:
    judged(cache, (right, 900.0), (wrong, 1200.0), ("udp", 10.0))
    with pytest.raises(VoidError, match=f"cache mode {cache} starts over {right}, but the first packet") as caught:
        judged(cache, (right, 1200.0), (wrong, 900.0))
    assert caught.value.cause is Cause.WRONG_CACHE
    # other stacks have one transport, and a visit may send nothing at all
    judged(cache, (wrong, 900.0), discovers=False)
    judged(cache)


@pytest.mark.parametrize(("cache", "right", "wrong"), [("http", "tcp", "quic"), ("altsvc", "quic", "tcp")])
def test_a_first_packet_that_was_lost_contradicts_nothing(cache: str, right: str, wrong: str) -> None:
    judged(cache, (right, 0.0), (wrong, 900.0))
    judged(cache, (right, 900.0), (wrong, 0.0))
    with pytest.raises(VoidError):
        judged(cache, (wrong, 0.0), (wrong, 900.0), (right, 1200.0))


def test_with_everything_kept_either_transport_may_be_first() -> None:
    judged("all", ("tcp", 900.0))
    judged("all", ("quic", 900.0))


def test_tickets_resumes_sessions_over_new_connections_and_the_other_modes_do_not_resume_all() -> None:
    one, two, unknown = connections(True, False, None)
    judged("tickets", connections=[one, unknown])
    # a host that the first visit did not ask, or more connections than tickets
    judged("tickets", connections=[one, two])
    # nothing was sent, or no handshake was completed
    judged("tickets", connections=[unknown])
    # the second may have resumed a session of this visit
    with pytest.raises(VoidError, match="keeps TLS sessions, but the first connection resumed none") as caught:
        judged("tickets", connections=[two, one])
    assert caught.value.cause is Cause.WRONG_CACHE
    with pytest.raises(VoidError, match="closes all connections, but 3 requests used an earlier one"):
        judged("tickets", connections=[one], late_requests=3)
    with pytest.raises(VoidError, match="keeps no TLS session, but all 1 connections resumed one"):
        judged("all", connections=[one])


def test_tickets_gets_nothing_from_the_cache_of_the_first_visit() -> None:
    with pytest.raises(VoidError, match=r"has an empty HTTP cache, but https://a\.test/a\.css came from one"):
        judged("tickets", responses=[answer("https://a.test/a.css", from_cache=True)])


def test_altsvc_gets_nothing_from_a_cache_that_no_request_of_the_visit_filled() -> None:
    # asked for before in this visit, upgraded by the browser, or not from the network at all
    fine = [
        answer("https://a.test/#top", from_cache=True),
        answer("http://a.test/", 307, from_cache=True),
        answer("https://b.test/", None, from_cache=True),
    ]
    judged("altsvc", ("quic", 1.0), responses=[*fine, answer("https://c.test/", from_cache=False)])
    with pytest.raises(VoidError, match=r"has an empty HTTP cache, but https://a\.test/a\.css came from one") as caught:
        judged("altsvc", ("quic", 1.0), responses=[*fine, answer("https://a.test/a.css", from_cache=True)])
    assert caught.value.cause is Cause.WRONG_CACHE
    judged("all", ("quic", 1.0), responses=[answer("https://a.test/a.css", from_cache=True)])


def answer(url: str, status: int | None = 200, *, from_cache: bool) -> Response:
    return response(url, status=status, from_cache=from_cache)


@pytest.mark.parametrize("discovers", [True, False])
@pytest.mark.parametrize("cache", ["http", "all"])
def test_a_second_visit_that_takes_nothing_from_a_cache_that_must_be_full_is_void(cache: str, discovers: bool) -> None:
    page, style = answer("https://a.test/", from_cache=False), "https://a.test/a.css"
    common: dict[str, Any] = {"discovers": discovers, "stored": STYLES}
    # one is enough: a page may ask its server for another by itself
    judged(
        cache,
        responses=[page, answer(style, from_cache=True), answer("https://a.test/b.css", from_cache=False)],
        **common,
    )
    # nothing that is stored was asked for, or no answer came
    judged(cache, responses=[page, answer(style, 404, from_cache=False)], **common)
    with pytest.raises(VoidError) as caught:
        judged(cache, responses=[page, answer(f"{style}#top", from_cache=False)], **common)
    assert caught.value.cause is Cause.WRONG_CACHE
    assert caught.value.detail == (
        f"cache mode {cache} has the HTTP cache of a first visit, but none of the answers that it must contain came "
        "from it (1, such as https://a.test/a.css#top)"
    )


@pytest.mark.parametrize("cache", [name for name, mode in MODES.items() if not mode.same_browser])
def test_a_visit_whose_connections_all_resumed_a_tls_session_is_void(cache: str) -> None:
    """Sessions end with the first browser; a second connection of one visit may resume the first one's."""
    for fine in ([], [None], [False, True], [True, None, False]):
        judged(cache, discovers=False, connections=connections(*fine))
    with pytest.raises(VoidError, match=f"cache mode {cache} keeps no TLS session, but all 2 connections resumed one"):
        judged(cache, discovers=False, connections=connections(True, None, True))
