"""Did every stack of a scene serve the same? Compared as multisets of (matched recorded URL, status, body bytes). Pure.

Only requests begun before load count, with all that redirects made of them: what a page does afterwards hangs on how
long it stays open. Whether a request began before load is the browser's word, what answered it the server's; they are
joined by URL, in order. The browser's own requests, such as those for a tab's icon, are in the server's log alone, and
so fall out. What was not recorded is not in the multiset, for it has no recorded URL: it is counted as missed, and the
counts are compared beside. (Pages time some requests by their own haste: an advertisement asked for twice, a pixel
after load instead of before. Where they were recorded, that is a difference; else each arm is told 404 alike.)
"""

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from eyelevel_contracts import sha256_of_json

KINDS = {"exact": "exact", "inexact": "inexact", "miss": "missed"}
# matched recorded URL, status, body bytes
Served = tuple[str, int, int]


def answers_before_load(
    responses: Iterable[Mapping[str, Any]], requests: Iterable[Mapping[str, Any]]
) -> list[Mapping[str, Any]]:
    """Join responses.json with the wire report's requests: those of them that answered requests begun before load."""
    answers: dict[tuple[str, str], deque[Mapping[str, Any]]] = defaultdict(deque)
    for request in requests:
        answers[request["method"], without_fragment(request["url"])].append(request)
    found = []
    for response in responses:  # those from after load, too: they take their answers out of the queue
        if response["from_cache"]:
            continue
        # without a status it may still have been served: browsers hide answers that the page may not read
        queue = answers[response["method"], without_fragment(response["url"])]
        answer = queue.popleft() if queue else None
        if answer is not None and response["before_load"]:
            found.append(answer)
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


def compare(takes: Mapping[str, Sequence[Served]]) -> list[dict[str, Any]]:
    """Takes of one scene by path; what each lacks or adds against the most common multiset. Empty if all agree."""
    digests = {path: digest(multiset) for path, multiset in takes.items()}
    common = Counter(digests.values()).most_common(1)[0][0] if digests else ""
    model = (
        Counter(next(multiset for path, multiset in takes.items() if digests[path] == common)) if digests else Counter()
    )
    differences = []
    for path, multiset in sorted(takes.items()):
        mine = Counter(multiset)
        lacks, adds = sorted((model - mine).elements()), sorted((mine - model).elements())
        if lacks or adds:
            differences.append({"take": path, "lacks": [_named(x) for x in lacks], "adds": [_named(x) for x in adds]})
    return differences


def without_fragment(url: str) -> str:
    return url.partition("#")[0]


def _named(entry: Served) -> dict[str, Any]:
    return {"matched_url": entry[0], "status": entry[1], "body_bytes": entry[2]}
