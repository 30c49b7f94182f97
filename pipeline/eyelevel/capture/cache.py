"""Cache modes: what of a first visit the filmed visit starts with, and what on the wire contradicts the mode. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from eyelevel.capture.inside.request import Cause, VoidError
from eyelevel_core.comparability.content import without_fragment


@dataclass(frozen=True)
class CacheMode:
    """`visits` are the page loads that a take needs.

    `first_packet` is the transport of the filmed visit's first packet over a stack that discovers QUIC; None where the
    mode does not decide it. `own_network`: the first visit goes over the run's network, because what the browser
    remembers of it is kept; elsewhere it goes over a quick network.
    """

    visits: int
    first_packet: str | None
    own_network: bool = False


MODES: Mapping[str, CacheMode] = {
    "cold": CacheMode(1, "tcp"),
    "http": CacheMode(2, "tcp"),
    "altsvc": CacheMode(2, "quic"),
    "all": CacheMode(2, None, own_network=True),
}
VISITS = {name: mode.visits for name, mode in MODES.items()}
OK = 200


def alt_svc_memory(state: Mapping[str, Any]) -> dict[str, Any]:
    """What Chromium's file of network state (Network Persistent State) holds of alternative services, and no more.

    Kept are the services that servers announced, and the local address at which QUIC has worked: without that entry,
    Chromium opens TCP beside QUIC at once. Round trips, support of HTTP/2 and broken services are left out.
    Source: Chromium, net/http/http_server_properties_manager.cc, version 5 of the format.
    """
    known = _properties(state)
    servers = [
        {name: server[name] for name in ("server", "anonymization", "alternative_service") if name in server}
        for server in known.get("servers", [])
        if server.get("alternative_service")
    ]
    kept: dict[str, Any] = {"servers": servers, "version": known.get("version")}
    if "supports_quic" in known:
        kept["supports_quic"] = known["supports_quic"]
    return {"net": {"http_server_properties": kept}}


def knows_quic(state: Mapping[str, Any]) -> bool:
    """Whether Chromium starts the next visit with QUIC: a server announced it, and it has worked."""
    known = _properties(state)
    announced = any(server.get("alternative_service") for server in known.get("servers", []))
    return announced and bool(known.get("supports_quic", {}).get("used_quic"))


def _properties(state: Mapping[str, Any]) -> Mapping[str, Any]:
    found: Mapping[str, Any] = state.get("net", {}).get("http_server_properties", {})
    return found


def judge_cache(
    cache: str,
    *,
    discovers: bool,
    flows: Iterable[Mapping[str, Any]],
    responses: Iterable[Mapping[str, Any]],
    requests: Iterable[Mapping[str, Any]],
) -> None:
    """Raise VoidError where a visit started with something that its cache mode excludes, or without what it includes.

    `discovers`: the stack discovers QUIC. `flows` and `requests` are the wire report's, `responses` those of
    responses.json.
    """
    wanted = MODES[cache].first_packet
    if discovers and wanted is not None:
        seen = _first_packets(flows)
        if seen and wanted not in seen:
            (other,) = seen
            raise VoidError(
                Cause.WRONG_CACHE,
                f"cache mode {cache} starts over {wanted}, but the first packet was sent over {other}",
            )
    if cache == "altsvc":
        asked = {without_fragment(request["url"]) for request in requests}
        for response in responses:
            url = response["url"]
            if response["from_cache"] and response["status"] == OK and without_fragment(url) not in asked:
                raise VoidError(
                    Cause.WRONG_CACHE, f"cache mode {cache} has an empty HTTP cache, but {url} came from one"
                )


def _first_packets(flows: Iterable[Mapping[str, Any]]) -> set[str]:
    """The transports that may have had the first packet; none where nothing was sent.

    The emulation sees a flow begin at the server's end. One whose first packet was lost has begun at 0: whether it was
    the first is unknown, and an unknown value contradicts nothing.
    """
    begun = [(flow["begun_ms"], flow["transport"]) for flow in flows if flow["transport"] in ("tcp", "quic")]
    lost = {transport for at_ms, transport in begun if at_ms == 0}
    return lost | {transport for _, transport in sorted(one for one in begun if one[0] > 0)[:1]}
