"""Did every stack of a scene serve the same? Compared as multisets of (matched recorded URL, status, body bytes). Pure.

What counts is what was asked for before load in at least one arm, with all that redirects made of it: what a page does
afterwards hangs on how long it stays open. That must have been served alike in every arm, at any time until the film's
end. On which side of load a request falls is an outcome of speed, not of content (advertising scripts race the load
event), so what merely lies on the other side is named apart, as across load.

Whether a request began before load is the browser's word, what answered it the server's; they are joined by URL, in
order. The browser's own requests, such as those for a tab's icon, are in the server's log alone, and so fall out. What
was not recorded is not in the multiset, for it has no recorded URL: it is counted as missed, and the counts are
compared beside.

Nor is it another page where the network failed a request that was begun before load: what then lacks, and what the page
asks for instead, is an outcome of network and stack. To leave such takes out would keep a stack's luckier runs only.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from eyelevel.capture.inside.exchange import SILENCE
from eyelevel_core.contracts import sha256_of_json

KINDS = {"exact": "exact", "inexact": "inexact", "miss": "missed"}
# matched recorded URL, status, body bytes
Served = tuple[str, int, int]


@dataclass(frozen=True)
class Arm:
    """What one take was served: on requests begun before load, and until its film's end.

    `failed` are the URLs of those begun before load for which packets, or the browser's patience for them, ran out.
    """

    before_load: Counter[Served]
    in_all: Counter[Served]
    failed: tuple[str, ...] = ()


def arm(responses: Iterable[Mapping[str, Any]], requests: Iterable[Mapping[str, Any]]) -> Arm:
    """The take of these responses.json and requests of the wire report; its load event must have come."""
    responses = list(responses)
    answers = _joined(responses, requests)
    return Arm(
        before_load=Counter(served(answer for response, answer in answers if response["before_load"])),
        in_all=Counter(served(answer for _, answer in answers)),
        failed=tuple(r["url"] for r in responses if r["before_load"] and r.get("failure") in SILENCE),
    )


def answers_before_load(
    responses: Iterable[Mapping[str, Any]], requests: Iterable[Mapping[str, Any]]
) -> list[Mapping[str, Any]]:
    """Those of the wire report's requests that answered requests of responses.json begun before load."""
    return [answer for response, answer in _joined(responses, requests) if response["before_load"]]


def with_cached(responses: Iterable[Mapping[str, Any]], requests: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The responses, marked as from the cache where they were answered and the servers know nothing of it.

    The browser's own timing tells this of its memory alone; what its disk held looks like a quick answer.
    """
    responses = list(responses)
    from_servers = {id(response) for response, _ in _joined(responses, requests)}
    return [
        {**response, "from_cache": response["status"] is not None and id(response) not in from_servers}
        for response in responses
    ]


def _joined(
    responses: Iterable[Mapping[str, Any]], requests: Iterable[Mapping[str, Any]]
) -> list[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """Each response that came over the wire with what answered it."""
    answers: dict[tuple[str, str], deque[Mapping[str, Any]]] = defaultdict(deque)
    for request in requests:
        answers[request["method"], without_fragment(request["url"])].append(request)
    found = []
    for response in responses:
        if response["from_cache"]:
            continue
        # without a status it may still have been served: browsers hide answers that the page may not read
        queue = answers[response["method"], without_fragment(response["url"])]
        if queue:
            found.append((response, queue.popleft()))
    return found


def served(answers: Iterable[Mapping[str, Any]]) -> list[Served]:
    """The multiset, sorted, with repetitions."""
    return sorted((a["matched_url"], a["status"], a["body_bytes"]) for a in answers if a["matched_url"] is not None)


def counts(answers: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """How the answers were found: exact, inexact, missed. Permissions to ask across origins are none of these."""
    kinds = Counter(answer["kind"] for answer in answers)
    return {name: kinds[kind] for kind, name in KINDS.items()}


def fidelity(answers: Sequence[Mapping[str, Any]] | None) -> dict[str, Any]:
    """A take's own part of the comparison. None: the load event did not come, so that nothing of it is known."""
    if answers is None:
        return dict.fromkeys([*KINDS.values(), "before_load_digest"])
    return {**counts(answers), "before_load_digest": digest(served(answers))}


def digest(multiset: Sequence[Served]) -> str:
    return sha256_of_json([list(entry) for entry in sorted(multiset)])


@dataclass(frozen=True)
class Comparison:
    """Per take by path: what it lacks or adds, and what it asked for only after load while another did before.

    `network_failed` names the requests of takes that are not judged, because the network failed these.
    """

    differences: list[dict[str, Any]]
    across_load: list[dict[str, Any]]
    network_failed: dict[str, list[str]]


def compare(arms: Mapping[str, Arm]) -> Comparison:
    """Takes of one scene by path, held against what most of them were served; of equally many, against the fullest."""
    failed = {path: list(one.failed) for path, one in sorted(arms.items()) if one.failed}
    arms = {path: one for path, one in arms.items() if path not in failed}
    wanted: Counter[Served] = Counter()
    for one in arms.values():
        wanted |= one.before_load
    mine = {path: wanted & one.in_all for path, one in sorted(arms.items())}
    usual = Counter({entry: _usual([got[entry] for got in mine.values()]) for entry in wanted})
    differences, across = [], []
    for path, got in mine.items():
        lacks, adds = _named(usual - got), _named(got - usual)
        if lacks or adds:
            differences.append({"take": path, "lacks": lacks, "adds": adds})
        late = _named(got - arms[path].before_load)
        if late:
            across.append({"take": path, "after_load": late})
    return Comparison(differences, across, failed)


def _usual(times: Sequence[int]) -> int:
    frequency = Counter(times)
    return max(frequency, key=lambda value: (frequency[value], value))


def without_fragment(url: str) -> str:
    return url.partition("#")[0]


def _named(multiset: Counter[Served]) -> list[dict[str, Any]]:
    return [
        {"matched_url": url, "status": status, "body_bytes": size} for url, status, size in sorted(multiset.elements())
    ]
