"""Data quality: void and censored runs per stack, alignment of the films, missing values."""

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import ClassVar

from eyelevel.compare.arms import arm
from eyelevel.compare.columns import HIGH, HOLM, METRIC, NETWORK, NEW, REFERENCE, SITE, STACK, TAKE, OfPair
from eyelevel.compare.model import Load, Pair
from eyelevel_core.comparability.settings import discovers_quic
from eyelevel_core.comparability.sites import SiteFidelity
from eyelevel_core.model.attempt import Attempt
from eyelevel_core.model.campaign import Campaign
from eyelevel_core.model.metrics import COMPARED, METRIC_OF
from eyelevel_core.model.take import SCREEN_FRAME_MS, Definition
from eyelevel_core.tables import Table, column, derived, part
from eyelevel_stats.arms import Difference, difference
from eyelevel_stats.arms.rates import PairTest, StackCount, count_stack

UNKNOWN = (
    "number of films whose first paint does not explain their first change, because it is unknown or more than 100 "
    "ms away; whether their time origin is off is also unknown, and only the clocks could show it"
)
OFF = "number of films whose time origin is known to be off by more than a frame"
WITHIN = "lower end of the 95 % interval of the difference, within sites and networks"
FLOOR = (
    "end of the interval that is farther from 0; for the first paint: smaller differences of a visual metric "
    "cannot be resolved"
)


@dataclass(frozen=True)
class Alignment(OfPair):
    """One pair on one network, or on all: alignment errors of the films, new - reference, and flagged films.

    `paint` compares the film's first change with the browser's first paint. `clock` compares the clock that stamps
    frames with the browser's, to about half a millisecond, but does not include delays of the screen.
    """

    network: str = column("emulated network; all: all networks together")
    paint: Difference | None = part()
    paint_difference_ms: ClassVar[float | None] = derived(
        "paint.difference",
        "mean alignment error (film's first change minus the browser's first paint), new - reference",
        head="by the first paint, ms",
    )
    paint_ci_low_ms: ClassVar[float | None] = derived("paint.ci_low", WITHIN, head="95 %", until="paint_ci_high_ms")
    paint_ci_high_ms: ClassVar[float | None] = derived("paint.ci_high", HIGH)
    paint_floor_ms: ClassVar[float | None] = derived("paint.floor", FLOOR, shown="hidden")
    clock: Difference | None = part()
    clock_difference_ms: ClassVar[float | None] = derived(
        "clock.difference",
        "mean clock error (browser's clock minus the film's clock), new - reference",
        head="by the clocks, ms",
    )
    clock_ci_low_ms: ClassVar[float | None] = derived("clock.ci_low", WITHIN, head="95 %", until="clock_ci_high_ms")
    clock_ci_high_ms: ClassVar[float | None] = derived("clock.ci_high", HIGH)
    clock_floor_ms: ClassVar[float | None] = derived("clock.floor", FLOOR, shown="hidden")
    off_by_a_frame: int = column(OFF)
    unknown: int = column(UNKNOWN)

    @property
    def floor_ms(self) -> float | None:
        """The alignment floor of visual metrics; None if it is unknown.

        This is the first paint's floor, which includes delays of the screen. If too few films know their first paint,
        it is the floor of the clocks plus a screen frame, by which one arm alone may paint late.
        """
        if self.paint is not None and self.paint.floor is not None:
            return self.paint.floor
        if self.clock is not None and self.clock.floor is not None:
            return self.clock.floor + SCREEN_FRAME_MS
        return None


@dataclass(frozen=True)
class FirstPaints:
    """Films of a scene whose time origin is off or not confirmed by the first paint.

    `off_by_a_frame` are known to be off, by the first paint or by the clocks. In `unknown`, the first paint does not
    explain the film's first change: it is unknown, or so far away (100 ms) that capture attributes it to another
    change. A film that is off by that much is one of these, and is flagged only if the clocks show it.
    """

    site: str = column(SITE)
    network: str = column(NETWORK)
    takes: int = column("number of takes compared", head="films")
    off_by_a_frame: int = column(OFF)
    unknown: int = column(UNKNOWN)


@dataclass(frozen=True)
class LeftOut:
    """A value that a take does not have."""

    take: str = column(TAKE)
    metric: str = column(METRIC, shown="metric")
    why: str = column(
        "censored: ranked and averaged as the time limit, not used in the tables of 2019; unknown: not used anywhere"
    )


@dataclass(frozen=True)
class CountRow:
    """Runs, attempts and takes of a stack."""

    count: StackCount = part()
    stack: ClassVar[str] = derived("count.stack", STACK)
    planned: ClassVar[int | None] = derived("count.planned", "number of runs in the campaign")
    takes: ClassVar[int] = derived("count.takes", "number of runs with a take")
    missing: ClassVar[int | None] = derived("count.missing", "number of runs without a take")
    attempts: ClassVar[int | None] = derived(
        "count.attempts", "number of attempts in attempts.jsonl; empty without that file"
    )
    void: ClassVar[int | None] = derived("count.void", "number of void attempts, without those in void_with_block")
    void_with_block: ClassVar[int | None] = derived(
        "count.void_with_block",
        "number of attempts that are void because another attempt of their block was void (paired campaigns)",
        head="with block",
    )
    causes: str | None = column("causes of void attempts, with their counts")
    censored: ClassVar[int] = derived(
        "count.censored", "number of takes that reached the time limit before the page settled"
    )
    comparable: ClassVar[int] = derived("count.comparable", "number of takes of the sites and networks compared")
    served_otherwise: ClassVar[int | None] = derived(
        "count.mismatched",
        "number of these takes that are excluded for a content mismatch; empty without fidelity.json",
        head="content mismatch",
    )


@dataclass(frozen=True)
class RateRow:
    """A share of two stacks."""

    test: PairTest[Pair] = part()
    new_stack: ClassVar[str] = derived("test.pair.new", NEW)
    reference_stack: ClassVar[str] = derived("test.pair.reference", REFERENCE)
    share_of: ClassVar[str] = derived(
        "test.kind",
        "share that is compared: void attempts among attempts, censored takes among takes, or takes with a content "
        "mismatch among comparable takes",
    )
    share_new: ClassVar[float | None] = derived(
        "test.result.share_new", "share for the new stack; a fraction", head="new", shown="share"
    )
    share_reference: ClassVar[float | None] = derived(
        "test.result.share_reference", "share for the reference; a fraction", head="reference", shown="share"
    )
    p_value: ClassVar[float | None] = derived(
        "test.result.p_value", "two-sided p-value of Fisher's exact test", head="p", shown="p"
    )
    p_adjusted: ClassVar[float | None] = derived("test.p_adjusted", HOLM, head="p, Holm", shown="p")


@dataclass(frozen=True)
class FidelityRow:
    """Fidelity of the answers to a site's requests, and the result of its replay check."""

    judged: SiteFidelity = part()
    site: ClassVar[str] = derived("judged.site", SITE)
    takes: ClassVar[int] = derived("judged.takes", "number of takes of all stacks and networks")
    unknown: ClassVar[int] = derived(
        "judged.unknown",
        "number of takes whose load event never fired; the content served to them is unknown",
        shown="hidden",
    )
    exact: ClassVar[int] = derived("judged.exact", "number of requests before load with an exact recorded answer")
    equivalent: ClassVar[int] = derived(
        "judged.equivalent",
        "number of requests answered from a recording that differs only in volatile parameters or image format",
    )
    inexact: ClassVar[int] = derived(
        "judged.inexact", "number of requests answered from the recording of a similar request"
    )
    missed: ClassVar[int] = derived("judged.missed", "number of requests that were never recorded")
    share: ClassVar[float | None] = derived(
        "judged.share", "exact as a share of all these requests; a fraction", head="exact share", shown="share"
    )
    worst_share: ClassVar[float | None] = derived(
        "judged.worst_share", "share for the stack with the lowest share; a fraction", shown="hidden"
    )
    worst_stack: ClassVar[str | None] = derived("judged.worst_stack", "stack with the lowest share", shown="hidden")
    absent: ClassVar[int | None] = derived(
        "judged.absent",
        "number of needed requests missed in the replay check, for the stack with the most; empty without a check",
        head="needed, absent",
    )
    painted_share: ClassVar[float | None] = derived(
        "judged.painted_share",
        "share of the viewport missed or inexact in the replay check, for the worst stack; a fraction",
        head="viewport missed",
        shown="share",
    )
    similarity: ClassVar[float | None] = derived(
        "judged.similarity",
        "SSIM between the page and the recorded screenshot, for the worst stack; empty if there is none",
        head="SSIM",
        shown="precise",
    )
    differing: ClassVar[int | None] = derived(
        "judged.differing",
        "number of takes with a content mismatch, which are excluded; empty if unknown",
        head="content mismatch",
    )
    kept: ClassVar[bool] = derived("judged.kept", "whether the site is compared", head="compared")
    reason: ClassVar[str | None] = derived("judged.reason", "reason why the site is not compared", shown="hidden")


ALIGNMENT = Table("alignment", "Alignment of the films between arms", "", Alignment)
FIRST_PAINTS = Table(
    "first-paint", "Films whose time origin is off, or not confirmed by the first paint", "", FirstPaints
)
LEFT_OUT = Table("left-out", "Values that takes do not have", "", LeftOut)
COUNTS = Table("runs", "Runs, attempts, void and censored, per stack", "", CountRow)
RATES = Table("rate-tests", "Tests of void, censored and excluded shares between stacks", "", RateRow)
FIDELITY = Table("fidelity", "Fidelity: answers to requests before load, and the replay check", "", FidelityRow)


def count_row(count: StackCount) -> CountRow:
    causes = count.void_causes
    return CountRow(count, None if causes is None else ", ".join(f"{cause} {n}" for cause, n in causes.items()))


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
    """Counts the runs of each stack that was planned, attempted or taken, even if it never succeeded.

    `stacks` are the definitions of stacks with a take in any cache mode; they determine what a campaign skips.
    `comparable` are the `loads` in scenes that are compared. `mismatched` are paths of takes with a content mismatch,
    or None without fidelity.json.
    """
    planned = {
        stack: _planned(stack, stacks.get(stack), campaigns, cache)
        for campaign in campaigns
        for stack in campaign.stacks
    }
    asked = [stack for stack, runs in planned.items() if runs is not None]
    names = {*asked, *(load.stack for load in loads), *(attempt.stack for attempt in attempts or ())}
    return [
        replace(
            count_stack(
                stack,
                planned=planned.get(stack),
                settled=(load.settled for load in loads if load.stack == stack),
                attempts=None if attempts is None else (attempt for attempt in attempts if attempt.stack == stack),
            ),
            comparable=sum(load.stack == stack for load in comparable),
            mismatched=None
            if mismatched is None
            else sum(load.stack == stack and load.path in mismatched for load in comparable),
        )
        for stack in sorted(names)
    ]


def _planned(stack: str, known: Definition | None, campaigns: Sequence[Campaign], cache: str) -> int | None:
    """The planned runs, each counted once; None if no campaign plans this stack in this cache mode.

    A stack whose definition is unknown has no take, so it counts as planned wherever it is named.
    """
    discovers = known is None or discovers_quic(known.definition)
    asking = [
        campaign
        for campaign in campaigns
        if stack in campaign.stacks and cache in campaign.caches and not campaign.skips(cache, discovers=discovers)
    ]
    runs = {
        (site.name, network, run)
        for campaign in asking
        for site in campaign.sites
        for network in campaign.networks
        for run in range(campaign.runs_of(network))
    }
    return len(runs) if asking else None


def alignments(loads: Sequence[Load], pairs: Iterable[Pair]) -> list[Alignment]:
    """Returns the alignment of each pair by network, and over all networks if there are several."""
    networks = list(dict.fromkeys(load.network for load in loads))
    if len(networks) > 1:
        networks.append("all")
    return [_alignment(loads, network, pair) for pair in pairs for network in networks]


def _alignment(loads: Sequence[Load], network: str, pair: Pair) -> Alignment:
    on_network = [load for load in loads if network in (load.network, "all")]
    both = [load for load in on_network if load.stack in (pair.new, pair.reference)]
    return Alignment(
        pair,
        network,
        paint=within_scenes(both, pair, lambda load: load.zero_error_ms),
        clock=within_scenes(both, pair, lambda load: load.clock_error_ms),
        off_by_a_frame=sum(off_by_a_frame(load) for load in both),
        unknown=sum(load.zero_error_ms is None for load in both),
    )


def off_by_a_frame(load: Load) -> bool:
    """Returns whether the film's time origin is known to be off by more than a screen frame, by paint or clocks."""
    known_ms = [error_ms for error_ms in (load.zero_error_ms, load.clock_error_ms) if error_ms is not None]
    return any(abs(error_ms) > SCREEN_FRAME_MS for error_ms in known_ms)


def first_paints(loads: Iterable[Load]) -> list[FirstPaints]:
    """Returns an entry per scene, in the order of the loads."""
    scenes: dict[tuple[str, str], list[Load]] = {}
    for load in loads:
        scenes.setdefault((load.site, load.network), []).append(load)
    return [
        FirstPaints(
            site,
            network,
            takes=len(of_scene),
            off_by_a_frame=sum(off_by_a_frame(load) for load in of_scene),
            unknown=sum(load.zero_error_ms is None for load in of_scene),
        )
        for (site, network), of_scene in scenes.items()
    ]


def within_scenes(loads: Iterable[Load], pair: Pair, value: Callable[[Load], float | None]) -> Difference | None:
    """Returns the difference of the value between new stack and reference, within scenes."""
    return difference(by_scene(loads, pair, value))


def by_scene(
    loads: Iterable[Load], pair: Pair, value: Callable[[Load], float | None]
) -> list[tuple[list[float], list[float]]]:
    """Returns the known values of the pair's takes by scene, as (new, reference)."""
    scenes: dict[tuple[str, str], dict[str, list[float]]] = {}
    for load in loads:
        arms = scenes.setdefault((load.site, load.network), {pair.new: [], pair.reference: []})
        known = value(load)
        if known is not None:
            arms[load.stack].append(known)
    return [(arms[pair.new], arms[pair.reference]) for arms in scenes.values()]


def left_out(loads: Iterable[Load]) -> list[LeftOut]:
    """Returns a row for every value that counts as censored or unknown."""
    rows = []
    for load in loads:
        for metric in COMPARED:
            of_take = arm([load], metric)
            if of_take.censored:
                why = "the take ended at the limit before the page settled"
                rows.append(LeftOut(load.path, metric, f"censored: {why}"))
            elif of_take.unknown:
                kind = "the film shows no such moment" if METRIC_OF[metric].visual else "the browser did not tell"
                rows.append(LeftOut(load.path, metric, f"unknown: {kind}"))
    return rows
