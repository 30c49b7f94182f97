"""Data quality: void and censored runs per stack, alignment of the films, missing values."""

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace

from eyelevel.compare.arms import arm
from eyelevel.compare.model import Load, Pair
from eyelevel_core.comparability.settings import discovers_quic
from eyelevel_core.model.attempt import Attempt
from eyelevel_core.model.campaign import Campaign
from eyelevel_core.model.metrics import COMPARED, METRIC_OF
from eyelevel_core.model.take import SCREEN_FRAME_MS, Definition
from eyelevel_stats.arms import Difference, difference
from eyelevel_stats.arms.rates import StackCount, count_stack


@dataclass(frozen=True)
class Alignment:
    """One pair on one network (None: on all): the films' zero errors, new - reference in ms, and flagged films.

    `paint` holds the film's first change against the browser's first paint; `clock` the clock
    that stamps frames against the browser's, to half a millisecond or so, and knows nothing of the screen.
    """

    network: str | None
    pair: Pair
    paint: Difference | None
    clock: Difference | None
    off_by_a_frame: int
    unknown: int

    @property
    def floor_ms(self) -> float | None:
        """What a difference in a visual metric must exceed to be claimed; None where nothing is known of it.

        The first paint's floor, as it holds the screen's way, too. Where too few films know their first paint, the
        clocks' and a frame of a screen, by which one arm alone may paint late.
        """
        if self.paint is not None and self.paint.floor is not None:
            return self.paint.floor
        if self.clock is not None and self.clock.floor is not None:
            return self.clock.floor + SCREEN_FRAME_MS
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
    campaigns: Sequence[Campaign],
    *,
    cache: str,
    stacks: Mapping[str, Definition],
    comparable: Sequence[Load],
    mismatched: Set[str] | None,
) -> list[StackCount]:
    """One row per stack that was planned, attempted or taken: a stack that never succeeded is a finding.

    `stacks` are the definitions of those with a take in any cache mode; they say what a campaign skips.
    `comparable` are those of `loads` in scenes that are compared. `mismatched` are paths of takes with a content
    mismatch, None without fidelity.json.
    """
    planned = {stack: _planned(stack, stacks.get(stack), campaigns, cache) for one in campaigns for stack in one.stacks}
    asked = [stack for stack, runs in planned.items() if runs is not None]
    names = {*asked, *(load.stack for load in loads), *(attempt.stack for attempt in attempts or ())}
    return [
        replace(
            count_stack(
                stack,
                planned=planned.get(stack),
                settled=(load.settled for load in loads if load.stack == stack),
                attempts=None if attempts is None else (one for one in attempts if one.stack == stack),
            ),
            comparable=sum(load.stack == stack for load in comparable),
            mismatched=None
            if mismatched is None
            else sum(load.stack == stack and load.path in mismatched for load in comparable),
        )
        for stack in sorted(names)
    ]


def _planned(stack: str, known: Definition | None, campaigns: Sequence[Campaign], cache: str) -> int | None:
    """Runs, each once though several campaigns plan it; None for a stack that none of them plans in this cache mode.

    A stack whose definition is unknown has no take, so it counts as planned wherever it is named.
    """
    discovers = known is None or discovers_quic(known.definition)
    asking = [
        one
        for one in campaigns
        if stack in one.stacks and cache in one.caches and not one.skips(cache, discovers=discovers)
    ]
    runs = {
        (site.name, network, run)
        for one in asking
        for site in one.sites
        for network in one.networks
        for run in range(one.runs_of(network))
    }
    return len(runs) if asking else None


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
        paint=within_scenes(both, pair, lambda load: load.zero_error_ms),
        clock=within_scenes(both, pair, lambda load: load.clock_error_ms),
        off_by_a_frame=sum(off_by_a_frame(load) for load in both),
        unknown=sum(load.zero_error_ms is None for load in both),
    )


def off_by_a_frame(load: Load) -> bool:
    """Whether the film's zero is known to be off by more than a frame of a screen, by first paint or clocks."""
    known_ms = [error_ms for error_ms in (load.zero_error_ms, load.clock_error_ms) if error_ms is not None]
    return any(abs(error_ms) > SCREEN_FRAME_MS for error_ms in known_ms)


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


def within_scenes(loads: Iterable[Load], pair: Pair, value: Callable[[Load], float | None]) -> Difference | None:
    """How much higher the value is with the new stack than with the reference, each scene for itself."""
    return difference(by_scene(loads, pair, value))


def by_scene(
    loads: Iterable[Load], pair: Pair, value: Callable[[Load], float | None]
) -> list[tuple[list[float], list[float]]]:
    """The known values of the pair's takes, scene by scene: new, reference."""
    scenes: dict[tuple[str, str], dict[str, list[float]]] = {}
    for load in loads:
        arms = scenes.setdefault((load.site, load.network), {pair.new: [], pair.reference: []})
        found = value(load)
        if found is not None:
            arms[load.stack].append(found)
    return [(arms[pair.new], arms[pair.reference]) for arms in scenes.values()]


def left_out(loads: Iterable[Load]) -> list[LeftOut]:
    """Every value that an arm counts as censored or unknown, named."""
    rows = []
    for load in loads:
        for metric in COMPARED:
            own = arm([load], metric)
            if own.censored:
                why = "the take ended at the limit before the page settled"
                rows.append(LeftOut(load.path, metric, f"censored: {why}"))
            elif own.unknown:
                kind = "the film shows no such moment" if METRIC_OF[metric].visual else "the browser did not tell"
                rows.append(LeftOut(load.path, metric, f"unknown: {kind}"))
    return rows
