"""Runs one attempt at a run in a scratch folder, and returns its take or the cause of its failure."""

import json
import shutil
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from pathlib import Path
from time import time

from eyelevel.capture.attempts import take
from eyelevel.capture.attempts.browser_profile import judge_profile, reduce, state_of
from eyelevel.capture.attempts.cache import judge_cache
from eyelevel.capture.attempts.cacheable import stored_urls
from eyelevel.capture.attempts.moved_outside import motion_of
from eyelevel.capture.attempts.provenance import provenance
from eyelevel.capture.attempts.verdict import judge_pressure, judge_wire
from eyelevel.capture.planning.cache_modes import FILLED_OVER, MODES, VISITS
from eyelevel.capture.planning.networks import Network, written
from eyelevel.capture.planning.plan import Plan
from eyelevel.disk import RESERVE_BYTES, room
from eyelevel.loads.inside.browsing.page_script import page_script
from eyelevel.loads.inside.measuring.moments import parts_ms
from eyelevel.loads.inside.observed import Observed
from eyelevel.loads.inside.request import COUNTED_FROM, Cause, Job, LoadRequest, VoidError
from eyelevel.loads.inside.sandbox import holding
from eyelevel.loads.judgement import AROUND_S, judge, voiding
from eyelevel.loads.seeds import first_visit_seed
from eyelevel.loads.site import Site, SiteMask
from eyelevel.loads.talk import tell_waiting
from eyelevel.loads.testbed_run import arguments, serving
from eyelevel.loads.worker import CaptureWorker
from eyelevel.machine import alone
from eyelevel.recording import recorded_at_ms
from eyelevel.stacks import Stack
from eyelevel_core.batch_folder import BatchFolder
from eyelevel_core.batch_folder.har import read_har
from eyelevel_core.batch_folder.takes import PROGRESS, RESPONSES, WIRE, read_progress, read_responses, read_wire
from eyelevel_core.comparability.content import with_cached
from eyelevel_core.model.campaign import Campaign
from eyelevel_core.model.film import Progress
from eyelevel_core.model.metrics import VISUAL_FIELDS
from eyelevel_core.model.network import round_trip_ms
from eyelevel_core.model.run import Run
from eyelevel_core.model.take import Take

# for a failed navigation; the film's last frame is the browser's error page
NOTHING_SEEN = Progress(progress=(), more=dict.fromkeys(VISUAL_FIELDS))
# number of prelaunched runs: the browser of the second starts while the page of the first is not loaded yet
PRELAUNCHED = 2
# limit of a first visit, for every network: a page that has not loaded over DSL by then is not slow but broken
FILLING_LIMIT_S = 300


@dataclass(frozen=True)
class CaptureContext:
    """The data that all attempts of a command share.

    `waits` is called with a description of the process that films when a run has to wait for it. `calibration` is the
    digest of calibration.json, or None if the networks were not measured. `masks` has the motion masks by site, and
    `volatile` the files of volatile parameters; sites without one are missing.
    """

    batch: BatchFolder
    campaign: Campaign
    sites: Sequence[Site]
    testbed: Path
    worker: CaptureWorker
    waits: Callable[[str], None] = lambda _: None
    networks: Mapping[str, Network] = field(default_factory=dict)
    stacks: Mapping[str, Stack] = field(default_factory=dict)
    calibration: str | None = None
    masks: Mapping[str, SiteMask] = field(default_factory=dict)
    volatile: Mapping[str, Path] = field(default_factory=dict)

    @classmethod
    def of(cls, planned: Plan, batch: BatchFolder, worker: CaptureWorker) -> "CaptureContext":
        """Returns the context of a plan, and writes the campaign's own networks to the batch folder."""
        return cls(
            batch=batch,
            campaign=planned.campaign,
            sites=planned.source.sites,
            testbed=planned.testbed,
            worker=worker,
            waits=tell_waiting,
            networks=written(planned.source, planned.networks, batch.networks),
            stacks=planned.stacks,
        )

    @property
    def scratch(self) -> Path:
        return self.batch.scratch

    def site(self, run: Run) -> Site:
        return next(site for site in self.sites if site.name == run.site)


def attempt(
    context: CaptureContext, run: Run, number: int, place: Path, following: Sequence[tuple[Run, int]] = ()
) -> Take:
    """Films one page load and moves the take to `place`; raises VoidError with the cause.

    Waits while another capture on this machine films a page, because runs never share processors. `following` are the
    next runs with the numbers of their attempts, if none is void; the worker prelaunches them (see worker.py).
    """

    def waits(holder: str) -> None:
        context.worker.drop()
        context.waits(holder)

    with alone(context.campaign.name, waits=waits, parts=context.worker.drop):
        return _attempt(context, run, number, place, following)


def _attempt(context: CaptureContext, run: Run, number: int, place: Path, following: Sequence[tuple[Run, int]]) -> Take:
    begun_ms = time() * 1000
    job, *spares = [_job(context, *each) for each in ((run, number), *_prelaunched(context, following))]
    folder = job.folder
    try:
        with room(context.batch.root, needed_bytes=RESERVE_BYTES):
            mode = MODES[run.cache]
            apart = mode.visits > 1 and not mode.same_browser
            stored = _fill_cache(context, run, folder) if apart else frozenset()
            limit_s = context.campaign.limit_s_of(run.network) + (FILLING_LIMIT_S if mode.same_browser else 0)
            _film(context, job, spares, limit_s=limit_s)
            marks = {"begun": begun_ms, "ended": time() * 1000}
            return _finish(context, run, number, folder, place=place, marks=marks, stored=stored)
    finally:
        shutil.rmtree(folder, ignore_errors=True)  # a take has been moved out by then


def _name(run: Run, number: int) -> str:
    return f"{run.path.replace('/', '~')}~{number}"


def _prelaunched(context: CaptureContext, following: Sequence[tuple[Run, int]]) -> Sequence[tuple[Run, int]]:
    """The first of these runs that can be prelaunched; a run with a first visit cannot."""
    can = context.campaign.prelaunch
    return list(takewhile(lambda each: can and VISITS[each[0].cache] == 1, following[:PRELAUNCHED]))


def _job(context: CaptureContext, run: Run, number: int) -> Job:
    """The worker's job for that run: a prelaunched one, or a new job in a new folder."""
    name = _name(run, number)
    for spare in context.worker.spares:
        if spare.folder.name.rpartition("~")[0] == name:
            return spare
    folder = context.scratch / f"{name}~{context.worker.serial()}"
    folder.mkdir(parents=True)
    request = _request(context, run)
    request.write(folder / "request.json")
    options = [*context.networks[run.network].arguments, *serving(context.campaign)]
    if MODES[run.cache].same_browser:
        options += ["--counted-from", str(folder / COUNTED_FROM)]
    return _in_testbed(context, run, folder, request, options, report=folder / "wire.json")


def _in_testbed(
    context: CaptureContext,
    run: Run,
    folder: Path,
    request: LoadRequest,
    options: Sequence[str],
    *,
    report: Path | None,
) -> Job:
    (folder / "talk.log").touch()
    command = arguments(
        context.testbed,
        run,
        context.site(run),
        options,
        report=report,
        command=holding(request.window.width_px, request.window.height_px),
        volatile=context.volatile.get(run.site),
    )
    return Job(folder, tuple(command))


def _request(context: CaptureContext, run: Run) -> LoadRequest:
    campaign, mask = context.campaign, context.masks.get(run.site)
    site, same_browser = context.site(run), MODES[run.cache].same_browser
    page = site.device.page(campaign.viewport)
    return LoadRequest(
        way=context.stacks[run.stack].way,
        width_px=page.width_px,
        height_px=page.height_px,
        limit_s=context.campaign.limit_s_of(run.network),
        quiet_ms=campaign.quiet_ms,
        script=page_script(seed=run.page_seed, start_ms=recorded_at_ms(site.recording)),
        counted=bool(context.worker.watch),
        mask=None if mask is None else str(mask.file),
        not_painting=() if mask is None else tuple(request.key for request in mask.mask.not_painting),
        earlier_visit_s=FILLING_LIMIT_S if same_browser else None,
        farewell_s=_farewell_s(context.networks[run.network]) if same_browser else 0.0,
        device=site.device,
    )


def _farewell_s(network: Network) -> float:
    """The time to close connections: a second, and three round trips."""
    return 1.0 + 3 * (round_trip_ms(network.definition) or 0.0) / 1000


def _film(context: CaptureContext, job: Job, spares: Sequence[Job], *, limit_s: float) -> None:
    status = context.worker.film(job, spares, limit_s=limit_s + AROUND_S)
    judge(job.folder, status, job.folder / "talk.log")


def _fill_cache(context: CaptureContext, run: Run, folder: Path) -> frozenset[str]:
    """Visit the page, and reduce the profile to what the cache mode keeps for the filmed visit.

    Returns the URLs that an HTTP cache must hold afterwards.

    A page with few requests may be loaded before Chromium has used QUIC. If the mode starts with QUIC, the page is
    then visited again, with the announced services.
    """
    profile, discovers = folder / "profile", context.stacks[run.stack].discovers
    needs_quic = run.cache == "altsvc" and discovers
    for _ in range(2 if needs_quic else 1):
        stored = _first_visit(context, run, folder)
        reduce(profile, run.cache)
        if not needs_quic or state_of(profile).knows_quic:
            judge_profile(profile, run.cache, discovers=discovers, stored=stored)
            return stored
    raise VoidError(Cause.CACHE_NOT_FILLED, "Chromium has not used QUIC in two first visits")


def _first_visit(context: CaptureContext, run: Run, folder: Path) -> frozenset[str]:
    """Visit the page with the existing profile, if any, and replace it with the profile of this visit.

    Returns the URLs of the answers that an HTTP cache must hold afterwards.

    The screen is not recorded, because only requests fill a cache, and a page with endless motion would never settle.
    """
    first, profile = folder / "first-visit", folder / "profile"
    first.mkdir()
    if profile.exists():
        profile.rename(first / "profile")
    request = replace(_request(context, run), keep_profile=True, counted=False, network_only=True)
    request = replace(request, limit_s=FILLING_LIMIT_S)
    request.write(first / "request.json")
    network = context.networks[run.network].arguments if MODES[run.cache].own_network else ("--network", FILLED_OVER)
    options = [*network, *serving(context.campaign)]
    drawn = replace(run, seed=first_visit_seed(run.seed))
    _film(context, _in_testbed(context, drawn, first, request, options, report=None), [], limit_s=FILLING_LIMIT_S)
    check_filled(Observed.read(first))
    stored = stored_urls(read_har(first / "page.har"))
    (first / "profile").rename(profile)
    shutil.rmtree(first)
    return stored


def check_filled(seen: Observed) -> None:
    """Raises VoidError if the first visit did not load, because half a page in the cache is no basis for a second.

    A page that loads counts as complete even if its network is never quiet.
    """
    if seen.load_ms is None:
        how = f" within {FILLING_LIMIT_S} s" if seen.given_up is None else f": navigation failed ({seen.given_up})"
        raise VoidError(Cause.CACHE_NOT_FILLED, f"the first visit, which fills the cache, did not load{how}")


@voiding()
def _finish(
    context: CaptureContext,
    run: Run,
    number: int,
    folder: Path,
    *,
    place: Path,
    marks: Mapping[str, float],
    stored: Collection[str] = (),
) -> Take:
    seen, wire = Observed.read(folder), read_wire(folder / WIRE)
    server = judge_wire(wire)
    responses = with_cached(read_responses(folder / RESPONSES), server.requests)
    judge_cache(
        run.cache,
        discovers=context.stacks[run.stack].discovers,
        flows=wire.flows,
        responses=responses,
        requests=server.requests,
        connections=server.connections,
        late_requests=(wire.earlier or {}).get("late_requests", 0),
        stored=stored,
    )
    # only the wire report shows which answers came from a cache
    written = [response.as_json() for response in responses]
    (folder / RESPONSES).write_text(json.dumps(written, ensure_ascii=False) + "\n")
    if seen.given_up is not None:
        (folder / PROGRESS).write_text(json.dumps(NOTHING_SEEN.as_json()) + "\n")
    measured = read_progress(folder / PROGRESS)  # written by the worker's watcher
    mask, volatile = context.masks.get(run.site), context.volatile.get(run.site)
    composed = take.compose(
        run=run,
        stack=context.stacks[run.stack],
        attempt=number,
        campaign=context.campaign,
        seen=seen,
        wire=wire,
        responses=responses,
        measured=measured,
        timing_ms=_timing(seen, marks),
        provenance=provenance(
            context.testbed,
            context.calibration,
            None if mask is None else mask.digest,
            None if volatile is None else volatile.stem,
        ),
        motion=None if mask is None else motion_of(folder, mask.mask, seen, measured),
        files=take.listed(folder),
    )
    judge_pressure(composed.pressure, most_outside=context.campaign.max_outside_share)
    take.put(composed, folder, place)
    return composed


def _timing(seen: Observed, around: Mapping[str, float]) -> dict[str, float | None]:
    # prelaunching while the previous run settled took none of this run's time
    within = {name: max(ms, around["begun"]) for name, ms in seen.marks.items()}
    load = {} if seen.load_ms is None else {"load": within["navigation"] + seen.load_ms}
    return parts_ms({**around, **within, **load})
