"""Films a probe's loads of a recording, over a network without limits, with TCP+ and QUIC in turn."""

import json
import shutil
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from eyelevel.errors import PageFailedError
from eyelevel.loads.inside.browsing.page_script import page_script
from eyelevel.loads.inside.observed import Observed
from eyelevel.loads.inside.request import LoadRequest
from eyelevel.loads.seeds import seed_of
from eyelevel.loads.site import Site
from eyelevel.loads.unlimited import NETWORK, Loader, served
from eyelevel.motion.enough import REST_MS, came_to_rest
from eyelevel.motion.learning import Load, quiet_at_ms
from eyelevel.motion.requests import of_responses
from eyelevel.quiet import ENDLESS
from eyelevel.recording import recorded_at_ms
from eyelevel.video import Frame, decode, inspect
from eyelevel_core.batch_folder.takes import FRAMES, RESPONSES, read_responses, read_times_ms
from eyelevel_core.model.device import Viewport
from eyelevel_core.model.mask import LIMIT_MS, LOADS, NETWORK_QUIET_MS, WATCHED_MS, ProbeLoad
from eyelevel_core.model.run import Run

STACKS = ("TCP+", "QUIC")
LIMIT_S = round(LIMIT_MS / 1000)
CURE = "Run the command again to continue, or look at the page with eyelevel testbed browse."
LOAD_FILE, FILM = "load.json", "film.mkv"
KEPT = (LOAD_FILE, FILM, FRAMES, RESPONSES)


@dataclass(frozen=True)
class Prober:
    """The loads of probes, which the loader's scratch folder keeps until the mask is written, to resume."""

    loader: Loader

    @property
    def scratch(self) -> Path:
        return self.loader.scratch

    def folder(self, site: Site, viewport: Viewport) -> Path:
        return self.scratch / f"{site.digest}-{site.device.name}-{viewport.width_px}x{viewport.height_px}"

    def load(self, site: Site, viewport: Viewport, number: int, *, until_rest: bool) -> Path:
        """Returns the folder of a load (from 1 on), which is filmed unless it exists; raises PageFailedError.

        `until_rest`: the film ends once the screen has been still for REST_MS.
        """
        folder = self.folder(site, viewport) / f"load-{number}"
        if (folder / LOAD_FILE).is_file():
            return folder
        shutil.rmtree(folder, ignore_errors=True)
        run = _run(site, number)
        request = LoadRequest(
            way=self.loader.stacks[run.stack].way,
            width_px=viewport.width_px,
            height_px=viewport.height_px,
            limit_s=LIMIT_S,
            quiet_ms=NETWORK_QUIET_MS,
            watched_ms=WATCHED_MS,
            rest_ms=REST_MS if until_rest else None,
            script=page_script(seed=run.page_seed, start_ms=recorded_at_ms(site.recording)),
            device=site.device,
        )
        words = f"load {number} of the probe of {site.name}"
        self.loader.load(folder, site, run, request, words=words, cure=CURE)
        _tell(folder, run, site)
        return folder


def _run(site: Site, number: int) -> Run:
    """Each load has other random numbers, because the mask applies to campaigns with any seed.

    If the recording stores a seed, all loads use it, as its runs do.
    """
    seed = seed_of("probe", site.digest, number)
    stack = STACKS[(number - 1) % len(STACKS)]
    return Run(
        site=site.name, recording=site.digest, network=NETWORK, stack=stack, number=number, seed=seed,
        page_seed=seed if site.chance_seed is None else site.chance_seed,
    )  # fmt: skip


def _tell(folder: Path, run: Run, site: Site) -> None:
    """Writes the facts of the load, and removes files that are no longer needed."""
    seen, server = Observed.read(folder), served(folder)
    if seen.given_up is not None or seen.load_ms is None:
        why = seen.given_up or f"its load event did not fire within {LIMIT_S} s, or it keeps reloading"
        raise PageFailedError(
            f"in a probe, the page of {site.name} did not load over {run.stack} without network limits ({why})", CURE
        )
    requests = of_responses(read_responses(folder / RESPONSES), ENDLESS)
    quiet_ms = quiet_at_ms(seen.load_ms, [], requests, quiet_ms=NETWORK_QUIET_MS)
    # a network that was never quiet is watched in the end
    watched_ms = seen.end_ms - WATCHED_MS if seen.settled_ms is None else max(quiet_ms, seen.settled_ms - WATCHED_MS)
    load = ProbeLoad(
        stack=run.stack,
        page_seed=run.page_seed,
        load_ms=round(seen.load_ms, 3),
        watched_from_ms=round(max(0.0, watched_ms), 3),
        end_ms=seen.end_ms,
        moving_tiles=0,
    )
    for path in folder.iterdir():
        if path.name not in KEPT:
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    (folder / LOAD_FILE).write_text(json.dumps({"start_url": server.start_url, "load": load.as_json()}))


def read_load(folder: Path) -> tuple[str, Load]:
    """Returns the page's URL, and the load for learning."""
    fields = json.loads((folder / LOAD_FILE).read_text())
    responses = read_responses(folder / RESPONSES)
    load = Load(ProbeLoad.of(fields["load"]), lambda: _frames(folder), of_responses(responses, ENDLESS))
    return fields["start_url"], load


def rested(folder: Path) -> bool:
    """Returns whether nothing moved at the end of the load in this folder."""
    load = ProbeLoad.of(json.loads((folder / LOAD_FILE).read_text())["load"])
    return came_to_rest(read_times_ms(folder / FRAMES)[-1], load.end_ms)


def _frames(folder: Path) -> Iterator[tuple[float, Frame]]:
    with closing(decode(inspect(folder / FILM))) as frames:
        yield from zip(read_times_ms(folder / FRAMES), frames, strict=True)


def numbers() -> range:
    """Returns the numbers of the loads, from 1 on."""
    return range(1, LOADS + 1)
