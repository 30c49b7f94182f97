"""Campaign report: attempts, void and censored rates per stack, and which sites are excluded. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from statistics import median

from eyelevel_core.comparability.model import ReplayedTake
from eyelevel_core.comparability.settings import SERVERS_BY
from eyelevel_core.comparability.sites import judge_sites
from eyelevel_core.comparability.visible import Gates
from eyelevel_core.model.attempt import Attempt
from eyelevel_core.model.campaign import Campaign
from eyelevel_core.model.capture_report import (
    ArmOutcome,
    CaptureReport,
    Difference,
    MissingRun,
    SiteGates,
    SiteOutcome,
)
from eyelevel_core.model.replay_check import ReplayCheck
from eyelevel_core.model.run import Run
from eyelevel_core.model.scene import Scene
from eyelevel_core.model.take import Pressure, Take
from eyelevel_stats.arms.rates import Attempted, StackCount, count_stack, differences

# its shares, by name
PRESSURE = tuple(Pressure.__annotations__)
DIGITS = 6


def report(
    campaign: Campaign,
    runs: Sequence[Run],
    takes: Mapping[str, Take],
    attempts: Iterable[Attempt],
    *,
    scenes: Iterable[Scene],
    differing: Mapping[tuple[str, str], Sequence[str]],
    checks: Mapping[str, ReplayCheck],
    beyond: Mapping[tuple[str, str], Mapping[str, Sequence[str]]],
) -> CaptureReport:
    """Returns the report. `takes` are by path of run, `checks` are the replay checks by site.

    `differing` lists, by site and cache mode, the takes that differ in content from most takes of the site. `beyond`
    lists the takes that missed URLs that the page needs and the check had.
    """
    planned = {run.path for run in runs}
    known = [attempt for attempt in attempts if attempt.run in planned]
    scenes = list(scenes)
    counts = [_count(stack, runs, takes, known) for stack in campaign.stacks]
    tests = differences(counts)
    return CaptureReport(
        campaign=campaign.name,
        runs=len(runs),
        taken=len(takes),
        stacks=tuple(_row(count, runs, takes) for count in counts),
        networks=tuple(
            replace(_row(_count(stack, of_network, takes, known), of_network, takes), network=network)
            for network in campaign.networks
            for of_network in [[run for run in runs if run.network == network]]
            for stack in campaign.stacks
        ),
        differences={kind: None if test is None else Difference(test.name, test.p) for kind, test in tests.items()},
        without_take=tuple(_missing(run, known) for run in runs if run.path not in takes),
        sites=tuple(
            replace(
                _site(site.name, cache, runs, takes, scenes=scenes, checks=checks),
                takes_that_differ=tuple(differing.get((site.name, cache), ())),
                missed_beyond_check={take: tuple(urls) for take, urls in beyond.get((site.name, cache), {}).items()},
            )
            for site in campaign.sites
            for cache in campaign.caches
        ),
    )


def _count(stack: str, runs: Iterable[Run], takes: Mapping[str, Take], attempts: Iterable[Attempt]) -> StackCount:
    mine = {run.path for run in runs if run.stack == stack}
    return count_stack(
        stack,
        planned=len(mine),
        settled=(takes[path].settled for path in mine if path in takes),
        attempts=(Attempted(tried.void, tried.cause) for tried in attempts if tried.run in mine),
    )


def _row(count: StackCount, runs: Iterable[Run], takes: Mapping[str, Take]) -> ArmOutcome:
    mine = [run.path for run in runs if run.stack == count.stack and run.path in takes]
    return ArmOutcome(
        stack=count.stack,
        runs=count.planned,
        attempts=count.attempts,
        valid=count.settled,
        censored=count.censored,
        void=count.void,
        void_with_block=count.void_with_block,
        void_causes=count.void_causes,
        without_take=count.missing,
        changed_after_next_began=sum(_changed_late(takes[path]) for path in mine),
        void_rate=_rounded(count.void_rate),
        censored_rate=_rounded(count.censored_rate),
        pressure=_pressure(takes[path].pressure for path in mine),
        without_pressure=sum(takes[path].pressure is None for path in mine),
    )


def _pressure(known: Iterable[Pressure | None]) -> dict[str, float | None]:
    """The median of each share over the takes that know it."""
    shares = [pressure.as_json() for pressure in known if pressure is not None]
    columns = {name: [share[name] for share in shares if share[name] is not None] for name in PRESSURE}
    return {name: _rounded(median(column)) if column else None for name, column in columns.items()}


def _missing(run: Run, attempts: Iterable[Attempt]) -> MissingRun:
    tried = [attempt for attempt in attempts if attempt.run == run.path]
    cause, detail = (tried[-1].cause, tried[-1].detail) if tried else (None, None)
    return MissingRun(run.path, len(tried), cause, detail)


def _site(
    name: str,
    cache: str,
    runs: Iterable[Run],
    takes: Mapping[str, Take],
    *,
    scenes: Sequence[Scene],
    checks: Mapping[str, ReplayCheck],
) -> SiteOutcome:
    """The result for a site, as in `eyelevel compare`; null if there is no take yet."""
    lines = [
        ReplayedTake(run.path, run.site, run.network, run.stack, takes[run.path].fidelity)
        for run in runs
        if (run.site, run.cache) == (name, cache) and run.path in takes
    ]
    judged = judge_sites(lines, checks={name: checks[name]} if name in checks else {}, mismatched=None)
    judged_site = judged[0] if judged else None
    scenes = [scene for scene in scenes if (scene.site, scene.cache) == (name, cache)]
    known = judged_site if judged_site is not None and judged_site.unknown < judged_site.takes else None
    return SiteOutcome(
        site=name,
        cache=cache,
        servers_by=_servers_by(takes[take.path] for take in lines),
        exact=None if known is None else known.exact,
        equivalent=None if known is None else known.equivalent,
        inexact=None if known is None else known.inexact,
        missed=None if known is None else known.missed,
        exact_share=None if known is None else _rounded(known.worst_share),
        exact_share_by_stack=(
            {} if known is None else {stack: _rounded(share) for stack, share in known.share_by_stack.items()}
        ),
        scenes=len(scenes),
        scenes_that_differ=tuple(scene.network for scene in scenes if scene.differences),
        gates=() if judged_site is None else tuple(_gates(gates) for gates in judged_site.gates),
        in_comparison=None if judged_site is None else judged_site.kept,
        reason=None if judged_site is None else judged_site.reason,
        takes_that_differ=(),
        missed_beyond_check={},
    )


def _gates(gates: Gates) -> SiteGates:
    return SiteGates(
        stack=gates.stack,
        absent_urls=tuple(request.url for request in gates.absent),
        painted_share=round(gates.painted_share, DIGITS),
        similarity=_rounded(gates.similarity),
        passed=tuple(gates.passed),
    )


def _servers_by(takes: Iterable[Take]) -> str | None:
    servers = {take.provenance.servers_by for take in takes}
    return "; ".join(sorted(SERVERS_BY.get(name, name) for name in servers if name)) or None


def _changed_late(take: Take) -> bool:
    """Whether the page still changed after the next run's browser had begun to start (prelaunch)."""
    began_ms, last_ms = take.next_began_ms, take.metrics["lvc_ms"]
    return began_ms is not None and last_ms is not None and last_ms > began_ms


def _rounded(share: float | None) -> float | None:
    return None if share is None else round(share, DIGITS)
