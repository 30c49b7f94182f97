"""The take of a finished attempt: composes it, checks it against its contract, and moves it in one atomic step."""

import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from eyelevel.loads.inside.observed import Observed
from eyelevel.loads.inside.request import Cause, VoidError
from eyelevel.stacks import Stack
from eyelevel_core.batch_folder.files import to_disk
from eyelevel_core.comparability.content import answers_before_load, fidelity
from eyelevel_core.comparability.unserved import unserved_before_load
from eyelevel_core.contracts import ContractError, check, sha256_of_file
from eyelevel_core.model.campaign import Campaign
from eyelevel_core.model.device import recorded_as
from eyelevel_core.model.film import Progress
from eyelevel_core.model.metrics import BROWSER_FIELDS, PLAIN_FIELDS, VISUAL_FIELDS, plain
from eyelevel_core.model.response import Response
from eyelevel_core.model.run import Run
from eyelevel_core.model.take import FileEntry, Film, Motion, Provenance, Take
from eyelevel_core.model.wire import WireReport

FILM = "film.mkv"
FILES = {
    "frames.json": "application/json",
    "progress.json": "application/json",
    "responses.json": "application/json",
    "page.har": "application/json",
    "wire.json": "application/json",
    FILM: "video/x-matroska",
}


def compose(
    *,
    run: Run,
    stack: Stack,
    attempt: int,
    campaign: Campaign,
    seen: Observed,
    wire: WireReport,
    responses: Sequence[Response],
    measured: Progress,
    timing_ms: Mapping[str, float | None],
    provenance: Provenance,
    files: Mapping[str, FileEntry],
    motion: Motion | None = None,
) -> Take:
    """Returns the take of `run`. `seen` has the observations of the capture worker, which complete `provenance`.

    Raises VoidError if the wire report belongs to another run.
    """
    asked = (run.recording, run.stack, run.network, run.seed, stack.digest, provenance.volatile_digest)
    wires = (wire.recording.digest, wire.stack.name, wire.network.name, wire.seed, wire.stack.digest)
    reported = (*wires, wire.volatile_sha256)
    if asked != reported or wire.server is None:
        raise VoidError(Cause.BROKEN_RESULT, f"the wire report is of {reported}, not of {asked}")
    answers = answers_before_load(responses, wire.server.requests)
    answers += unserved_before_load(responses, wire.server.origins)
    film = Film(
        path=FILM,
        frames=seen.frames,
        lost_changes=seen.lost_changes,
        unquiet_frames=seen.unquiet_frames,
        late_ms=seen.late_ms,
        end_ms=seen.end_ms,
        zero_error_ms=seen.zero_error_ms,
        clock_error_ms=seen.clock_error_ms,
        clock_bound_ms=seen.clock_bound_ms,
    )
    metrics = measured.metrics
    return Take(
        site=run.site,
        recording=run.recording,
        start_url=wire.server.start_url,
        network=wire.network,
        stack=wire.stack,
        cache=run.cache,
        run=run.number,
        seed=run.seed,
        attempt=attempt,
        outcome="unsettled" if seen.settled_ms is None else "settled",
        viewport=campaign.viewport_of(run.site),
        film=film,
        metrics={
            **{name: _rounded(metrics[name]) for name in VISUAL_FIELDS},
            "plt_ms": _rounded(seen.load_ms),
            **{name: _rounded(ms) for name, ms in zip(PLAIN_FIELDS, plain(metrics).values(), strict=True)},
            **{name: _rounded(seen.browser[name], 3 if name.endswith("_ms") else 6) for name in BROWSER_FIELDS},
        },
        settled_ms=_rounded(seen.settled_ms),
        fidelity=fidelity(None if seen.load_ms is None else answers),
        provenance=Provenance(
            tools={**provenance.tools, "chromium": seen.browser_version, "testbed": wire.testbed_version},
            fonts_digest=provenance.fonts_digest,
            browser_arguments=seen.browser_arguments,
            page_script_digest=seen.page_script_digest,
            calibration_digest=provenance.calibration_digest,
            page_seed=run.page_seed,
            workers=seen.workers,
            quiet_ms=campaign.quiet_ms,
            servers_by=wire.server.grouping,
            scheduler=wire.scheduler,
            mask_digest=provenance.mask_digest,
            volatile_digest=provenance.volatile_digest,
            machine=provenance.machine,
        ),
        files=files,
        timing_ms=timing_ms,
        cpu_idle_share=seen.cpu_idle_share,
        next_began_ms=_next_began_ms(seen.marks),
        given_up=seen.given_up,
        motion=motion,
        lcp_element=seen.lcp_element,
        pressure=seen.pressure,
        device=recorded_as(campaign.site(run.site).device),
    )


def _next_began_ms(marks: Mapping[str, float]) -> float | None:
    return _rounded(marks["next"] - marks["navigation"]) if "next" in marks else None


def _rounded(value: float | None, digits: int = 3) -> float | None:
    """A time to a microsecond; further digits are floating-point noise."""
    return None if value is None else round(value, digits)


def listed(folder: Path) -> dict[str, FileEntry]:
    """Returns digest, size and media type of every file of a take except take.json itself."""
    return {
        name: FileEntry(sha256_of_file(folder / name), (folder / name).stat().st_size, media_type)
        for name, media_type in FILES.items()
    }


def put(take: Take, folder: Path, place: Path) -> None:
    """Checks the take against its contract, writes take.json, and moves its folder to its place atomically.

    Raises VoidError if it breaks the contract, and FileExistsError or OSError if the place is taken.
    """
    value = take.as_json()
    try:
        check(value, "take.1", source=str(place / "take.json"))
    except ContractError as error:
        raise VoidError(Cause.BROKEN_RESULT, str(error)) from error
    for leftover in folder.iterdir():
        if leftover.is_dir() and not leftover.is_symlink():
            shutil.rmtree(leftover)
        elif leftover.name not in FILES:
            leftover.unlink()
    (folder / "take.json").write_text(json.dumps(value, ensure_ascii=False, sort_keys=True, indent=1) + "\n")
    for path in (*folder.iterdir(), folder):
        to_disk(path)
    place.parent.mkdir(parents=True, exist_ok=True)
    folder.rename(place)
    to_disk(place.parent)
