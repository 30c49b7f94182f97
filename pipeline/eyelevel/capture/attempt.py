"""One attempt at a run, in a folder of its own under BATCH/.attempts: a take in its place, or a cause."""

import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import time
from typing import Any

from eyelevel.capture import take
from eyelevel.capture.campaign import Campaign, Site
from eyelevel.capture.colours import hash_of
from eyelevel.capture.disk import FULL, check_room
from eyelevel.capture.fidelity import with_cached
from eyelevel.capture.inside.colours import ORANGE, WHITE
from eyelevel.capture.inside.page_script import page_script
from eyelevel.capture.inside.request import Cause, LoadRequest, VoidError
from eyelevel.capture.machine import alone
from eyelevel.capture.networks import Network
from eyelevel.capture.overhead import parts_ms
from eyelevel.capture.plan import Run, frame_rate
from eyelevel.capture.provenance import fonts_digest, tools
from eyelevel.capture.recorded_at import recorded_at_ms
from eyelevel.capture.stacks import Stack
from eyelevel.capture.testbed import arguments, inside, serving, start
from eyelevel.capture.wire import judge_wire
from eyelevel.errors import EyelevelError, ToolMissingError
from eyelevel_contracts import ContractError, check

VOID_STATUS = 75  # of eyelevel.capture.inside
# for starting testbed, screen and browser, and for asking the browser in the end
AROUND_S = 60
WATCHED = "histograms.bin"  # where measure looks for what the watcher left
# of a page that never came; what the film shows last is the browser's own page of complaint
NOTHING_SEEN: Mapping[str, Any] = {"fvc_ms": None, "si_ms": None, "vc85_ms": None, "lvc_ms": None, "progress": []}
# page loads that a take needs, by state of the cache
VISITS = {"cold": 1, "warm": 2}
# what fills a cache does not hang on how long it took
FILLING_NETWORK = ("--network", "DSL")


@dataclass(frozen=True)
class Workshop:
    """What all attempts of a command share.

    `measure` gives a take's visual metrics as in progress.json. `watch` is a command that takes width, height and a
    file, reads the film's distinct frames while it is made, and leaves in the file what `measure` is quicker with.
    `waits` is called when a run has to wait for another capture's.
    `calibration` is the digest of calibration.json; None where the networks were not measured.
    """

    batch: Path
    campaign: Campaign
    testbed: Path
    measure: Callable[[Path], Mapping[str, Any]]
    watch: Sequence[str] = ()
    waits: Callable[[], None] = lambda: None
    networks: Mapping[str, Network] = field(default_factory=dict)
    stacks: Mapping[str, Stack] = field(default_factory=dict)
    calibration: str | None = None

    @property
    def bench(self) -> Path:
        return self.batch / ".attempts"


def attempt(shop: Workshop, run: Run, site: Site, number: int, place: Path) -> dict[str, Any]:
    """Film one page load and put the take into `place`; returns its take.json. VoidError has the cause.

    Waits while another capture of this machine films a page: runs never share processors.
    """
    with alone(waits=shop.waits):
        return _attempt(shop, run, site, number, place)


def _attempt(shop: Workshop, run: Run, site: Site, number: int, place: Path) -> dict[str, Any]:
    begun_ms = time() * 1000
    settings = shop.campaign.settings
    limit_s = settings["limits_s"].get(run.network, settings["limit_s"])
    folder = shop.bench / run.path.replace("/", "~")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        check_room(folder)
        request = LoadRequest(
            way=shop.stacks[run.stack].way,
            width_px=settings["viewport"]["width_px"],
            height_px=settings["viewport"]["height_px"],
            frame_rate=frame_rate(settings, run.network),
            limit_s=limit_s,
            quiet_ms=settings["quiet_ms"],
            script=page_script(seed=run.page_seed, start_ms=recorded_at_ms(site.recording)),
            orange=hash_of(ORANGE, **settings["viewport"]),
            white=hash_of(WHITE, **settings["viewport"]),
            watch=_watch(shop, folder),
        )
        if run.cache == "warm":
            _fill_cache(shop, run, site, folder, request)
        request.write(folder / "request.json")
        options = [*shop.networks[run.network].arguments, *serving(settings)]
        command = arguments(shop.testbed, run, site, options, report=folder / "wire.json", command=inside(folder))
        log = folder / "talk.log"
        status = start(command, limit_s=limit_s + AROUND_S, log=log)
        marks = {"begun": begun_ms, "ended": time() * 1000}
        _judge(folder, status, log)
        return _finish(shop, run, number, folder, place=place, marks=marks)
    except VoidError:
        check_room(folder)  # a full disk breaks whatever writes to it, each in its own way
        raise
    finally:
        shutil.rmtree(folder, ignore_errors=True)  # a take has left it by then


def _fill_cache(shop: Workshop, run: Run, site: Site, folder: Path, request: LoadRequest) -> None:
    """Visit the page over a quick network and leave the profile for the visit that is filmed."""
    first = folder / "first-visit"
    first.mkdir()
    replace(request, keep_profile=True, watch=()).write(first / "request.json")
    options = [*FILLING_NETWORK, *serving(shop.campaign.settings)]
    command = arguments(shop.testbed, run, site, options, report=None, command=inside(first))
    status = start(command, limit_s=request.limit_s + AROUND_S, log=first / "talk.log")
    _judge(first, status, first / "talk.log")
    for paths in ("Default/Network Persistent State", "Default/Network/Network Persistent State"):
        (first / "profile" / paths).unlink(missing_ok=True)  # Chromium's memory of round trips, which QUIC would use
    (first / "profile").rename(folder / "profile")
    shutil.rmtree(first)


def _watch(shop: Workshop, folder: Path) -> list[str]:
    size = shop.campaign.settings["viewport"]
    return [*shop.watch, str(size["width_px"]), str(size["height_px"]), str(folder / WATCHED)] if shop.watch else []


@contextmanager
def _voiding() -> Iterator[None]:
    """What breaks over one attempt's results voids that attempt; what every attempt would meet is raised on."""
    try:
        yield
    except ToolMissingError:
        raise
    except (EyelevelError, ContractError, OSError, KeyError, TypeError, ValueError) as error:
        if isinstance(error, OSError) and error.errno in FULL:
            raise
        raise VoidError(Cause.BROKEN_RESULT, f"{type(error).__name__}: {error}") from error


@_voiding()
def _judge(folder: Path, status: int, log: Path) -> None:
    if status == VOID_STATUS:
        void = json.loads((folder / "void.json").read_text())
        raise VoidError(Cause(void["cause"]), void["detail"])
    if status != 0:
        said = log.read_text(errors="replace").strip().splitlines()
        raise VoidError(Cause.PROCESS_DIED, f"status {status}: {said[-1][:300] if said else 'without a word'}")


@_voiding()
def _finish(
    shop: Workshop, run: Run, number: int, folder: Path, *, place: Path, marks: Mapping[str, float]
) -> dict[str, Any]:
    seen, wire, responses = (_json(folder / name) for name in ("inside.json", "wire.json", "responses.json"))
    check(wire, "wire.1", source="wire.json")
    judge_wire(wire)
    responses = with_cached(responses, wire["server"]["requests"])
    (folder / "responses.json").write_text(json.dumps(responses, ensure_ascii=False) + "\n")
    metrics = shop.measure(folder) if seen.get("given_up") is None else NOTHING_SEEN
    (folder / "progress.json").write_text(json.dumps(metrics) + "\n")
    value = take.compose(
        run=run,
        stack=shop.stacks[run.stack],
        attempt=number,
        settings=shop.campaign.settings,
        inside=seen,
        wire=wire,
        responses=responses,
        metrics=metrics,
        timing_ms=_timing(seen, {**marks, "measured": time() * 1000}),
        provenance={
            "tools": tools(shop.testbed),
            "fonts_digest": fonts_digest(),
            "calibration_digest": shop.calibration,
        },
        files=take.listed(folder),
    )
    take.put(value, folder, place)
    return value


def _timing(seen: Mapping[str, Any], around: Mapping[str, float]) -> dict[str, float | None]:
    within = seen["marks"]
    load = {} if seen["load_ms"] is None else {"load": within["navigation"] + seen["load_ms"]}
    return parts_ms({**around, **within, **load})


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text())
    except ValueError as error:
        raise VoidError(Cause.BROKEN_RESULT, f"{path.name} is broken: {error}") from error
