"""Checks whether a filmed visit started with what its cache mode keeps of the first visit. Pure."""

from collections.abc import Collection, Iterable

from eyelevel.capture.planning.cache_modes import MODES
from eyelevel.loads.inside.request import Cause, VoidError
from eyelevel_core.comparability.content import without_fragment
from eyelevel_core.model.response import Response
from eyelevel_core.model.wire import Connection, Flow, ServedRequest

OK = 200


def judge_cache(
    cache: str,
    *,
    discovers: bool,
    flows: Iterable[Flow],
    responses: Iterable[Response],
    requests: Iterable[ServedRequest],
    connections: Iterable[Connection] = (),
    late_requests: int = 0,
    stored: Collection[str] = (),
) -> None:
    """Raises VoidError if a visit started with something that its cache mode excludes, or without what it includes.

    `discovers`: the stack discovers QUIC. `flows`, `requests` and `connections` are the wire report's, `responses`
    the browser's. `late_requests` counts those over connections of an earlier visit of the same browser.
    `stored` are the URLs that the HTTP cache must hold after the first visit.
    """
    wanted = MODES[cache].first_packet
    if discovers and wanted is not None:
        seen = _first_packets(flows)
        if seen and wanted not in seen:
            (other,) = seen
            raise _wrong(f"cache mode {cache} starts over {wanted}, but the first packet was sent over {other}")
    resumed = [connection.resumed for connection in connections if connection.resumed is not None]
    if MODES[cache].same_browser:
        if late_requests:
            raise _wrong(f"cache mode {cache} closes all connections, but {late_requests} requests used an earlier one")
        # later ones may resume a session of this visit
        if resumed and not resumed[0]:
            raise _wrong(f"cache mode {cache} keeps TLS sessions, but the first connection resumed none")
    elif resumed and all(resumed):
        raise _wrong(f"cache mode {cache} keeps no TLS session, but all {len(resumed)} connections resumed one")
    answers = [response for response in responses if response.status == OK]
    if cache in ("altsvc", "tickets"):
        asked = {without_fragment(request.url) for request in requests}
        for answer in answers:
            if answer.from_cache and without_fragment(answer.url) not in asked:
                raise _wrong(f"cache mode {cache} has an empty HTTP cache, but {answer.url} came from one")
    elif MODES[cache].visits > 1:
        held = [answer for answer in answers if without_fragment(answer.url) in stored]
        if held and not any(answer.from_cache for answer in held):
            raise _wrong(
                f"cache mode {cache} has the HTTP cache of a first visit, but none of the answers that it must contain "
                f"came from it ({len(held)}, such as {held[0].url})"
            )


def _wrong(words: str) -> VoidError:
    return VoidError(Cause.WRONG_CACHE, words)


def _first_packets(flows: Iterable[Flow]) -> set[str]:
    """The transports that may have sent the first packet; empty if nothing was sent.

    The emulation sees the begin of a flow at the server's end. A flow whose first packet was lost begins at 0, so it
    may have been the first; an unknown value contradicts nothing.
    """
    begun = [(flow.begun_ms, flow.transport) for flow in flows if flow.transport in ("tcp", "quic")]
    lost = {transport for at_ms, transport in begun if at_ms == 0}
    return lost | {transport for _, transport in sorted(flow for flow in begun if flow[0] > 0)[:1]}
