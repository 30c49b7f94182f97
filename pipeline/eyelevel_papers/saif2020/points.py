"""Groups takes into the points of the paper's sweeps, by the definitions of their networks. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from statistics import median
from typing import Any

from eyelevel.compare.model import Load, Pair, Sent
from eyelevel.errors import BadInputError
from eyelevel_core.model.metrics import METRIC_OF
from eyelevel_core.model.network import number
from eyelevel_core.model.take import Definition
from eyelevel_papers.saif2020.score import FORM_FACTORS, WEIGHTS, mean_of_scores, score_of_means

# visits that correspond to the paper's, whose cache was cleared; altsvc also remembers that QUIC works
CACHES = ("cold", "altsvc")


@dataclass(frozen=True, order=True)
class Impairment:
    """The delay in ms and the loss, 0 to 1, that a network adds to its link for packets towards the client."""

    delay_ms: float
    loss: float

    @property
    def words(self) -> str:
        return f"{self.delay_ms:g} ms, {100 * self.loss:g} %"


@dataclass(frozen=True)
class Point:
    """The audits of one arm (stack and cache state) at one impairment of a page and link.

    `audits` have every metric of the score, in ms; `failed` counts takes that lack one. Sent packets and bytes are
    means over the takes; `h3_share` is the median share of responses over HTTP/3, 0 to 1. None is unknown.
    """

    at: Impairment
    network: str
    arm: str
    audits: Sequence[Mapping[str, float]]
    failed: int
    down: Mapping[str, float | None]
    up: Mapping[str, float | None]
    h3_share: float | None

    def values(self, metric: str) -> list[float]:
        return [audit[metric] for audit in self.audits]

    def mean(self, metric: str) -> float | None:
        values = self.values(metric)
        return fsum(values) / len(values) if values else None

    @property
    def scores(self) -> Mapping[str, int | None]:
        """The scores by form factor: raw metrics averaged, then scored, as in the paper."""
        return {form: score_of_means(self.audits, form) for form in FORM_FACTORS}

    @property
    def mean_scores(self) -> Mapping[str, float | None]:
        """The means of the audits' scores, by form factor."""
        return {form: mean_of_scores(self.audits, form) for form in FORM_FACTORS}


@dataclass(frozen=True)
class Both:
    """A point of both protocols: `h2` and `h3` are arms of one pair at one impairment."""

    h2: Point
    h3: Point

    @property
    def at(self) -> Impairment:
        return self.h2.at

    def gap(self, form: str) -> int | None:
        """Returns HTTP/2's score minus HTTP/3's; None where an arm has no audit."""
        h2, h3 = self.h2.scores[form], self.h3.scores[form]
        return None if h2 is None or h3 is None else h2 - h3


@dataclass(frozen=True)
class Series:
    """All points of one page, link and pair of arms, by delay and then loss."""

    site: str
    link: str
    pair: Pair
    points: Sequence[Both]

    @property
    def over_delay(self) -> list[Both]:
        return [point for point in self.points if point.at.loss == 0]

    @property
    def over_loss(self) -> list[Both]:
        """The points of the delay that has most losses; none where there are fewer than two."""
        delays = [point.at.delay_ms for point in self.points if point.at.loss > 0]
        if not delays:
            return []
        delay_ms = max(dict.fromkeys(delays), key=delays.count)
        return [point for point in self.points if point.at.delay_ms == delay_ms]

    @property
    def baseline(self) -> Both | None:
        return next((point for point in self.points if point.at == Impairment(0, 0)), None)


def split(definition: Mapping[str, object]) -> tuple[str, Impairment]:
    """Splits a network into a description of its link and the impairment towards the client.

    With delays by direction, the added delay is that of the downlink minus that of the uplink. A network with only a
    round trip has it as its delay, half of it in each direction.
    """
    lost = number(definition, "loss_down" if "loss_down" in definition else "loss") or 0.0
    if "delay_down_ms" in definition:
        up = number(definition, "delay_up_ms") or 0.0
        delay, base = (number(definition, "delay_down_ms") or 0.0) - up, 2 * up
    else:
        delay, base = number(definition, "rtt_ms") or 0.0, 0.0
    down, rate_up = (definition.get(f"{way}_mbps") for way in ("down", "up"))
    rates = "unlimited" if down == rate_up == "unlimited" else f"{_rate(down)} down, {_rate(rate_up)} up"
    return rates + (f", {base:g} ms" if base else ""), Impairment(delay, lost)


def _rate(value: Any) -> str:
    if value is None:
        return "a trace"
    return str(value) if isinstance(value, str) else f"{value:g} Mbit/s"


def arm_of(load: Load) -> str:
    return load.stack if load.cache == CACHES[0] else f"{load.stack} ({load.cache})"


def pairs_of(loads: Iterable[Load], stacks: Mapping[str, Definition], asked: Sequence[Pair]) -> list[Pair]:
    """Returns the arms to compare: every arm over QUIC against the simplest TCP with HTTP/2, or the requested pairs.

    BadInputError where one of the two is missing.
    """
    arms = {arm_of(load): load for load in loads}
    if asked:
        return [
            Pair(arm, pair.reference)
            for pair in asked
            for arm, load in arms.items()
            if load.stack == pair.new and pair.reference in arms
        ]
    tcp = [
        load.stack
        for load in arms.values()
        if load.cache == CACHES[0] and _is(stacks, load.stack, transport="tcp", http="2")
    ]
    quic = sorted(arm for arm, load in arms.items() if _is(stacks, load.stack, transport="quic"))
    if not tcp or not quic:
        missing = "HTTP/2 over TCP" if not tcp else "QUIC"
        raise BadInputError(
            f"No stack of the takes ({', '.join(sorted(arms))}) is {missing}; capture one, or name two stacks by "
            "--pair NEW/REFERENCE."
        )
    reference = min(tcp, key=lambda name: (stacks[name].definition.get("initial_window_packets") or 0, name))
    return [Pair(arm, reference) for arm in quic]


def _is(stacks: Mapping[str, Definition], name: str, **wanted: str) -> bool:
    return all(str(stacks[name].definition.get(key)) == value for key, value in wanted.items())


def series(loads: Sequence[Load], networks: Mapping[str, Definition], pairs: Sequence[Pair]) -> list[Series]:
    """Returns every page, link and pair of arms with a point that both arms have."""
    groups: dict[tuple[str, str], dict[tuple[Impairment, str], list[Load]]] = {}
    for load in loads:
        link, at = split(networks[load.network].definition)
        groups.setdefault((load.site, link), {}).setdefault((at, arm_of(load)), []).append(load)
    all_series = []
    for (site, link), of_link in groups.items():
        points = {key: _point(key[0], key[1], taken) for key, taken in sorted(of_link.items())}
        for pair in pairs:
            both = [
                Both(points[at, pair.reference], points[at, pair.new])
                for at in sorted({at for at, _ in points})
                if (at, pair.reference) in points and (at, pair.new) in points
            ]
            if both:
                all_series.append(Series(site, link, pair, both))
    return sorted(all_series, key=lambda entry: (entry.site, -len(entry.points)))


def _point(at: Impairment, arm: str, loads: Sequence[Load]) -> Point:
    audits = [audit for load in loads if (audit := _audit(load)) is not None]
    shares = [share for load in loads if (share := load.traffic.h3_share) is not None]
    return Point(
        at,
        loads[0].network,
        arm,
        audits,
        failed=len(loads) - len(audits),
        down=_sent([load.traffic.down for load in loads]),
        up=_sent([load.traffic.up for load in loads]),
        h3_share=median(shares) if shares else None,
    )


def _audit(load: Load) -> Mapping[str, float] | None:
    """Every metric of the score; None where one is unknown or not final, so that the audit has no score."""
    known = {
        key: value
        for key in WEIGHTS
        if (value := load.metrics[key]) is not None and METRIC_OF[key].is_final(settled=load.settled)
    }
    return known if len(known) == len(WEIGHTS) else None


def _sent(sent: Sequence[Sent | None]) -> Mapping[str, float | None]:
    values = {
        "packets": [traffic.packets for traffic in sent if traffic is not None and traffic.packets is not None],
        "bytes": [traffic.bytes for traffic in sent if traffic is not None and traffic.bytes is not None],
    }
    return {name: sum(counts) / len(counts) if counts else None for name, counts in values.items()}
