"""Did every stack of a scene serve the same? Compared as multisets of (matched recorded URL, status, body bytes). Pure.

Only requests begun before load count: what a page does afterwards hangs on how long it stays open. Whether a request
began before load is the browser's word, what answered it the server's; they are joined by URL, in order. The browser's
own requests, such as those for a tab's icon, are in the server's log alone, and so fall out.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from eyelevel_contracts import sha256_of_json

# matched recorded URL (None where nothing recorded matched), status, body bytes
Served = tuple[str | None, int, int]


def served_before_load(responses: Iterable[Mapping[str, Any]], requests: Iterable[Mapping[str, Any]]) -> list[Served]:
    """Join responses.json with the wire report's requests; sorted, with repetitions."""
    answers: dict[tuple[str, str], deque[Mapping[str, Any]]] = defaultdict(deque)
    for request in requests:
        answers[request["method"], without_fragment(request["url"])].append(request)
    served: list[Served] = []
    for response in responses:  # those from after load, too: they take their answers out of the queue
        if response["status"] is None or response["from_cache"]:
            continue
        queue = answers[response["method"], without_fragment(response["url"])]
        answer = queue.popleft() if queue else None
        if answer is not None and response["before_load"]:
            served.append((answer["matched_url"], answer["status"], answer["body_bytes"]))
    return sorted(served, key=_order)


def digest(served: Sequence[Served]) -> str:
    return sha256_of_json([list(entry) for entry in sorted(served, key=_order)])


def compare(takes: Mapping[str, Sequence[Served]]) -> list[dict[str, Any]]:
    """Takes of one scene by path; what each lacks or adds against the most common multiset. Empty if all agree."""
    digests = {path: digest(served) for path, served in takes.items()}
    common = Counter(digests.values()).most_common(1)[0][0] if digests else ""
    model = Counter(next(served for path, served in takes.items() if digests[path] == common)) if digests else Counter()
    differences = []
    for path, served in sorted(takes.items()):
        mine = Counter(served)
        lacks, adds = sorted((model - mine).elements(), key=_order), sorted((mine - model).elements(), key=_order)
        if lacks or adds:
            differences.append({"take": path, "lacks": [_named(x) for x in lacks], "adds": [_named(x) for x in adds]})
    return differences


def without_fragment(url: str) -> str:
    return url.partition("#")[0]


def _order(entry: Served) -> tuple[str, int, int]:
    return (entry[0] or "", entry[1], entry[2])


def _named(entry: Served) -> dict[str, Any]:
    return {"matched_url": entry[0], "status": entry[1], "body_bytes": entry[2]}
