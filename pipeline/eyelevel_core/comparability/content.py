"""Content of takes: compares what the stacks of a scene were served, as multisets of (URL, status, body bytes).

The URL is that of the recorded response that matched. What counts are requests begun before load in at least one take,
with their redirects; what a page requests later depends on how long it stays open. Such content must have been served
in every take at any time until the film's end. On which side of the load event a request falls is an outcome of speed
and not of content (advertising scripts race the load event), so a request on the other side is listed apart, as
`across_load`.

The browser knows whether a request began before load, the server knows its answer; both are joined by URL, in order.
Requests of the browser itself, such as those for a tab's icon, are in the server's log alone and are ignored. A request
that was never recorded has no recorded URL: it is not in the multiset, but counted as missed.

Where the network failed a request begun before load, the missing content is an outcome of network and stack. Such a
take is not judged: excluding it would keep only a stack's luckier runs.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from eyelevel_core.comparability.model import NETWORK_ERRORS
from eyelevel_core.comparability.unserved import is_unserved
from eyelevel_core.contracts import sha256_of_json
from eyelevel_core.model.response import Response
from eyelevel_core.model.scene import Answer, ContentMismatch, LateContent
from eyelevel_core.model.take import Fidelity
from eyelevel_core.model.wire import ServedRequest

KINDS = {"exact": "exact", "equivalent": "equivalent", "inexact": "inexact", "miss": "missed"}
# matched recorded URL, status, body bytes
Served = tuple[str, int, int]


class Request(Protocol):
    """Interface of a request as the browser reported it, of responses.json or of an open page."""

    @property
    def url(self) -> str: ...
    @property
    def method(self) -> str: ...
    @property
    def from_cache(self) -> bool: ...


Asked = TypeVar("Asked", bound=Request)


@dataclass(frozen=True)
class Arm:
    """The content that one take was served: for requests begun before load, and until the film's end.

    `failed` are the URLs of requests begun before load that ended with one of NETWORK_ERRORS.
    """

    before_load: Counter[Served]
    in_all: Counter[Served]
    failed: tuple[str, ...] = ()


def arm(responses: Iterable[Response], requests: Iterable[ServedRequest], origins: Collection[str]) -> Arm:
    """Returns the content of one take, from responses.json and its wire report; its load event must have fired.

    `origins` are those that replay served (see `unserved`): requests to others fail in every take alike.
    """
    responses = list(responses)
    answers = joined(responses, requests)
    return Arm(
        before_load=Counter(served(answer for response, answer in answers if response.before_load)),
        in_all=Counter(served(answer for _, answer in answers)),
        failed=tuple(
            response.url
            for response in responses
            if response.before_load and response.failure in NETWORK_ERRORS and not is_unserved(response, origins)
        ),
    )


def answers_before_load(responses: Iterable[Response], requests: Iterable[ServedRequest]) -> list[ServedRequest]:
    """Returns the wire report's entries for those requests of responses.json that began before load."""
    return [answer for response, answer in joined(responses, requests) if response.before_load]


def with_cached(responses: Iterable[Response], requests: Iterable[ServedRequest]) -> list[Response]:
    """Returns the responses with `from_cache` set where the browser got an answer that no server sent.

    The browser's timing reveals only its memory cache; an answer from its disk cache looks like a quick response.
    """
    responses = list(responses)
    from_servers = {id(response) for response, _ in joined(responses, requests)}
    return [
        replace(response, from_cache=response.status is not None and id(response) not in from_servers)
        for response in responses
    ]


def joined(responses: Iterable[Asked], requests: Iterable[ServedRequest]) -> list[tuple[Asked, ServedRequest]]:
    """Returns each response that came over the wire, with the wire report's entry for it."""
    answers: dict[tuple[str, str], deque[ServedRequest]] = defaultdict(deque)
    for request in requests:
        answers[request.method, without_fragment(request.url)].append(request)
    pairs = []
    for response in responses:
        if response.from_cache:
            continue
        # a response without a status may still have been served: browsers hide answers that the page may not read
        queue = answers[response.method, without_fragment(response.url)]
        if queue:
            pairs.append((response, queue.popleft()))
    return pairs


def served(answers: Iterable[ServedRequest]) -> list[Served]:
    """Returns the multiset of matched answers, sorted, with repetitions."""
    return sorted(
        (answer.matched_url, answer.status, answer.body_bytes)
        for answer in answers
        if answer.matched_url is not None and answer.status is not None and answer.body_bytes is not None
    )


def counts(answers: Iterable[ServedRequest]) -> dict[str, int]:
    """Counts exact, equivalent, inexact and missed answers. CORS preflight answers do not count."""
    kinds = Counter(answer.kind for answer in answers)
    return {name: kinds[kind] for kind, name in KINDS.items()}


def fidelity(answers: Sequence[ServedRequest] | None) -> Fidelity:
    """The fidelity of a take. `answers` is None where the load event never fired; then all is unknown."""
    if answers is None:
        return Fidelity(exact=None, inexact=None, missed=None, before_load_digest=None, equivalent=None)
    count_of = counts(answers)
    content = digest(served(answers))
    return Fidelity(
        count_of["exact"], count_of["inexact"], count_of["missed"], content, equivalent=count_of["equivalent"]
    )


def digest(multiset: Sequence[Served]) -> str:
    return sha256_of_json([list(entry) for entry in sorted(multiset)])


@dataclass(frozen=True)
class Comparison:
    """Per take: content it lacks or adds, and content it requested only after load while another take did before.

    `network_failed` lists, by take, the requests that the network failed; these takes are not judged.
    """

    differences: tuple[ContentMismatch, ...]
    across_load: tuple[LateContent, ...]
    network_failed: Mapping[str, tuple[str, ...]]


def compare(arms: Mapping[str, Arm]) -> Comparison:
    """Compares the takes of one scene, by path, with the content that most of them were served.

    Where several counts of an answer are equally frequent, the largest one is expected.
    """
    failed = {path: content.failed for path, content in sorted(arms.items()) if content.failed}
    arms = {path: content for path, content in arms.items() if path not in failed}
    wanted: Counter[Served] = Counter()
    for content in arms.values():
        wanted |= content.before_load
    mine = {path: wanted & content.in_all for path, content in sorted(arms.items())}
    usual = Counter({entry: _usual([got[entry] for got in mine.values()]) for entry in wanted})
    differences, across = [], []
    for path, got in mine.items():
        lacks, adds = _named(usual - got), _named(got - usual)
        if lacks or adds:
            differences.append(ContentMismatch(path, lacks, adds))
        late = _named(got - arms[path].before_load)
        if late:
            across.append(LateContent(path, late))
    return Comparison(tuple(differences), tuple(across), failed)


def _usual(times: Sequence[int]) -> int:
    frequency = Counter(times)
    return max(frequency, key=lambda value: (frequency[value], value))


def without_fragment(url: str) -> str:
    return url.partition("#")[0]


def _named(multiset: Counter[Served]) -> tuple[Answer, ...]:
    return tuple(Answer(*entry) for entry in sorted(multiset.elements()))
