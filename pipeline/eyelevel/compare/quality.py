"""How good the data is: void and censored runs per stack, alignment of the films, values that are missing."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass, replace

from eyelevel.compare.arms import arm
from eyelevel.compare.model import Load, Pair
from eyelevel_core.model.attempt import Attempt
from eyelevel_core.model.campaign import Campaign
from eyelevel_core.model.metrics import KEYS, METRIC_OF
from eyelevel_stats.arms import CountTest, Difference, compare_shares, difference, holm

# a share that is tested, of the takes in scenes that are compared
OTHERWISE = "takes served otherwise"


@dataclass(frozen=True)
class StackCount:
    """Attempts and takes of one stack; `planned` are the campaign's runs. Attempts are None without a ledger.

    What was void only with its block is no fault of the stack's, and is counted apart. `comparable` are its takes in
    the scenes that are compared; of these, `served_otherwise` leave, as they were not served what the others were
    (None without fidelity.json).
    """

    stack: str
    planned: int | None
    takes: int
    missing: int | None
    attempts: int | None
    void: int | None
    void_with_block: int | None
    causes: str | None
    censored: int
    comparable: int
    served_otherwise: int | None


@dataclass(frozen=True)
class RateTest:
    """Whether two stacks differ in a share: of void attempts, of censored takes, or of takes served otherwise.

    Adjusted by Holm among all rows.
    """

    kind: str
    pair: Pair
    found: CountTest
    adjusted_p: float | None = None


@dataclass(frozen=True)
class Alignment:
    """One pair on one network (None: on all): the films' zero errors, new - reference in ms, and flagged films.

    `paint` holds the film's first change against the browser's first paint, to half a frame a run; `clock` the clock
    that stamps frames against the browser's, to half a millisecond or so, and knows nothing of the screen.
    """

    network: str | None
    pair: Pair
    paint: Difference | None
    clock: Difference | None
    off_by_a_frame: int
    unknown: int
    lost_frames: int
    frame_ms: float

    @property
    def floor_ms(self) -> float | None:
        """What a difference in a visual metric must exceed to be claimed; None where nothing is known of it.

        The first paint's floor, as it holds the screen's way, too. Where too few films know their first paint, the
        clocks' and a frame, by which a change may be grabbed too late in one arm alone.
        """
        if self.paint is not None and self.paint.floor is not None:
            return self.paint.floor
        if self.clock is not None and self.clock.floor is not None:
            return self.clock.floor + self.frame_ms
        return None


@dataclass(frozen=True)
class FirstPaints:
    """How the films of a scene stand to their first paints.

    `off_by_a_frame` are known to be off, by the first paint or by the clocks. Of `unknown` the first paint does not
    explain the film's first change: it is unknown, or so far away (100 ms) that capture takes it for another change's.
    A film that is off by so much is among them, and is flagged only if the clocks tell.
    """

    site: str
    network: str
    takes: int
    off_by_a_frame: int
    unknown: int


@dataclass(frozen=True)
class LeftOut:
    """A value that a take does not give."""

    take: str
    metric: str
    why: str


def stack_counts(
    loads: Sequence[Load],
    attempts: Sequence[Attempt] | None,
    campaign: Campaign,
    *,
    cache: str,
    comparable: Sequence[Load],
    served_otherwise: Set[str] | None,
) -> list[StackCount]:
    """A row per stack of which there are takes or attempts, or that was planned: one that never succeeded is a finding.

    `comparable` are those of `loads` in scenes that are compared, `served_otherwise` paths of takes.
    """
    planned = campaign.stacks if cache in campaign.caches else ()
    stacks = {*planned, *(load.stack for load in loads), *(attempt.stack for attempt in attempts or ())}
    return [
        _count(
            stack,
            [load for load in loads if load.stack == stack],
            None if attempts is None else [attempt for attempt in attempts if attempt.stack == stack],
            planned=_planned(stack, campaign, cache),
            comparable=[load for load in comparable if load.stack == stack],
            served_otherwise=served_otherwise,
        )
        for stack in sorted(stacks)
    ]


def _planned(stack: str, campaign: Campaign, cache: str) -> int | None:
    asked = stack in campaign.stacks and cache in campaign.caches
    return len(campaign.sites) * len(campaign.networks) * campaign.runs if asked else None


def _count(
    stack: str,
    own: Sequence[Load],
    tried: Sequence[Attempt] | None,
    *,
    planned: int | None,
    comparable: Sequence[Load],
    served_otherwise: Set[str] | None,
) -> StackCount:
    void = None if tried is None else [attempt for attempt in tried if attempt.void and not attempt.with_block]
    causes = None if void is None else Counter(attempt.cause or "unknown" for attempt in void)
    other = None if served_otherwise is None else sum(load.path in served_otherwise for load in comparable)
    return StackCount(
        stack,
        planned,
        takes=len(own),
        missing=None if planned is None else max(0, planned - len(own)),
        attempts=None if tried is None else len(tried),
        void=None if void is None else len(void),
        void_with_block=None if tried is None else sum(attempt.with_block for attempt in tried),
        causes=None if causes is None else ", ".join(f"{cause} {count}" for cause, count in sorted(causes.items())),
        censored=sum(not load.settled for load in own),
        comparable=len(comparable),
        served_otherwise=other,
    )


def rate_tests(counts: Iterable[StackCount], pairs: Iterable[Pair]) -> list[RateTest]:
    named = {count.stack: count for count in counts}
    rows: list[RateTest] = []
    for pair in pairs:
        new, reference = named[pair.new], named[pair.reference]
        if None not in (new.attempts, new.void, reference.attempts, reference.void):
            found = compare_shares(new.void or 0, new.attempts or 0, reference.void or 0, reference.attempts or 0)
            rows.append(RateTest("void attempts", pair, found))
        found = compare_shares(new.censored, new.takes, reference.censored, reference.takes)
        rows.append(RateTest("censored takes", pair, found))
        # where no take is, no test could find a difference, and it would only weaken the others
        if new.served_otherwise or reference.served_otherwise:
            found = compare_shares(
                new.served_otherwise or 0, new.comparable, reference.served_otherwise or 0, reference.comparable
            )
            rows.append(RateTest(OTHERWISE, pair, found))
    adjusted = holm([row.found.p_value for row in rows])
    return [replace(row, adjusted_p=p) for row, p in zip(rows, adjusted, strict=True)]


def alignments(loads: Sequence[Load], pairs: Iterable[Pair]) -> list[Alignment]:
    networks: list[str | None] = list(dict.fromkeys(load.network for load in loads))
    if len(networks) > 1:
        networks.append(None)
    return [_alignment(loads, network, pair) for pair in pairs for network in networks]


def _alignment(loads: Sequence[Load], network: str | None, pair: Pair) -> Alignment:
    own = [load for load in loads if load.network == network or network is None]
    both = [load for load in own if load.stack in (pair.new, pair.reference)]
    return Alignment(
        network,
        pair,
        paint=_within_scenes(both, pair, lambda load: load.zero_error_ms),
        clock=_within_scenes(both, pair, lambda load: load.clock_error_ms),
        off_by_a_frame=sum(off_by_a_frame(load) for load in both),
        unknown=sum(load.zero_error_ms is None for load in both),
        lost_frames=sum(load.lost_frames or 0 for load in both),
        frame_ms=max((1000 / load.frame_rate for load in both), default=0.0),
    )


def off_by_a_frame(load: Load) -> bool:
    """Whether the film's zero is known to be off by more than one of its frames, by first paint or clocks."""
    known_ms = [error_ms for error_ms in (load.zero_error_ms, load.clock_error_ms) if error_ms is not None]
    return any(abs(error_ms) > 1000 / load.frame_rate for error_ms in known_ms)


def first_paints(loads: Iterable[Load]) -> list[FirstPaints]:
    """One entry per scene, in the order of the loads."""
    scenes: dict[tuple[str, str], list[Load]] = {}
    for load in loads:
        scenes.setdefault((load.site, load.network), []).append(load)
    return [
        FirstPaints(
            site,
            network,
            takes=len(own),
            off_by_a_frame=sum(off_by_a_frame(load) for load in own),
            unknown=sum(load.zero_error_ms is None for load in own),
        )
        for (site, network), own in scenes.items()
    ]


def _within_scenes(loads: Iterable[Load], pair: Pair, error: Callable[[Load], float | None]) -> Difference | None:
    scenes: dict[tuple[str, str], dict[str, list[float]]] = {}
    for load in loads:
        arms = scenes.setdefault((load.site, load.network), {pair.new: [], pair.reference: []})
        found = error(load)
        if found is not None:
            arms[load.stack].append(found)
    return difference([(arms[pair.new], arms[pair.reference]) for arms in scenes.values()])


def left_out(loads: Iterable[Load]) -> list[LeftOut]:
    """Every value that an arm counts as censored or unknown, named."""
    rows = []
    for load in loads:
        for metric in KEYS:
            own = arm([load], metric)
            if own.censored:
                why = "the take ended at the limit before the page settled"
                rows.append(LeftOut(load.path, metric, f"censored: {why}"))
            elif own.unknown:
                kind = "the film shows no such moment" if METRIC_OF[metric].visual else "the browser did not tell"
                rows.append(LeftOut(load.path, metric, f"unknown: {kind}"))
    return rows
