"""The take: put together from what an attempt left, checked, and put in its place in one step; written here only."""

import json
import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from eyelevel.capture.inside.request import Cause, VoidError
from eyelevel.capture.plan import Run, frame_rate
from eyelevel.capture.stacks import Stack
from eyelevel_core.comparability.content import answers_before_load, fidelity
from eyelevel_core.contracts import ContractError, check, sha256_of_file
from eyelevel_core.model.metrics import VISUAL_FIELDS

FILM_FACTS = ("grabs", "end_ms", "zero_error_ms", "clock_error_ms", "clock_bound_ms")
FILES = {
    "frames.json": "application/json",
    "progress.json": "application/json",
    "responses.json": "application/json",
    "page.har": "application/json",
    "wire.json": "application/json",
    "film.mkv": "video/x-matroska",
}


def compose(
    *,
    run: Run,
    stack: Stack,
    attempt: int,
    settings: Mapping[str, Any],
    inside: Mapping[str, Any],
    wire: Mapping[str, Any],
    responses: Sequence[Mapping[str, Any]],
    metrics: Mapping[str, Any],
    timing_ms: Mapping[str, float | None],
    provenance: Mapping[str, Any],
    files: Mapping[str, Any],
) -> dict[str, Any]:
    """The value of take.json. VoidError if the wire report tells of another run than was asked for."""
    asked = (run.recording, run.stack, run.network, run.seed, stack.digest)
    told = (
        wire["recording"]["digest"],
        wire["stack"]["name"],
        wire["network"]["name"],
        wire["seed"],
        wire["stack"]["digest"],
    )
    if asked != told:
        raise VoidError(Cause.BROKEN_RESULT, f"the wire report is of {told}, not of {asked}")
    answers = answers_before_load(responses, wire["server"]["requests"])
    return {
        "contract": "eyelevel/take/1",
        "site": run.site,
        "recording": run.recording,
        "start_url": wire["server"]["start_url"],
        "network": wire["network"],
        "stack": wire["stack"],
        "cache": run.cache,
        "run": run.number,
        "seed": run.seed,
        "attempt": attempt,
        "outcome": "unsettled" if inside["settled_ms"] is None else "settled",
        "given_up": inside.get("given_up"),
        "viewport": settings["viewport"],
        "film": {
            "path": "film.mkv",
            "frame_rate": frame_rate(settings, run.network),
            "frames": inside["frames"],
            "lost_frames": inside["lost_frames"],
            **{name: inside[name] for name in FILM_FACTS},
        },
        "timing_ms": timing_ms,
        "cpu_idle_share": inside["cpu_idle_share"],
        "next_began_ms": _next_began_ms(inside["marks"]),
        "metrics": {
            **{name: _rounded(metrics[name]) for name in VISUAL_FIELDS},
            "plt_ms": _rounded(inside["load_ms"]),
        },
        "settled_ms": _rounded(inside["settled_ms"]),
        "fidelity": fidelity(None if inside["load_ms"] is None else answers),
        "provenance": {
            **provenance,
            "tools": {**provenance["tools"], "chromium": inside["browser_version"], "testbed": wire["testbed_version"]},
            "browser_arguments": inside["browser_arguments"],
            "page_script_digest": inside["page_script_digest"],
            "page_seed": run.page_seed,
            "workers": inside["workers"],
            "quiet_ms": settings["quiet_ms"],
            "servers_by": wire["server"]["grouping"],
            "scheduler": wire["scheduler"],
        },
        "files": files,
    }


def _next_began_ms(marks: Mapping[str, float]) -> float | None:
    return _rounded(marks["next"] - marks["navigation"]) if "next" in marks else None


def _rounded(ms: float | None) -> float | None:
    """To a microsecond: what lies beyond is a double's noise."""
    return None if ms is None else round(ms, 3)


def listed(folder: Path) -> dict[str, Any]:
    """Digest, size and media type of every file of a take but take.json itself."""
    return {
        name: {
            "sha256": sha256_of_file(folder / name),
            "bytes": (folder / name).stat().st_size,
            "media_type": media_type,
        }
        for name, media_type in FILES.items()
    }


def put(take: Mapping[str, Any], folder: Path, place: Path) -> None:
    """Check the take against its contract, write take.json, and rename its folder into its place: there or not there.

    Raise VoidError if it breaks the contract, FileExistsError or OSError if the place is taken.
    """
    try:
        check(take, "take.1", source=str(place / "take.json"))
    except ContractError as error:
        raise VoidError(Cause.BROKEN_RESULT, str(error)) from error
    for leftover in folder.iterdir():
        if leftover.is_dir() and not leftover.is_symlink():
            shutil.rmtree(leftover)
        elif leftover.name not in FILES:
            leftover.unlink()
    (folder / "take.json").write_text(json.dumps(take, ensure_ascii=False, sort_keys=True, indent=1) + "\n")
    for path in (*folder.iterdir(), folder):
        to_disk(path)
    place.parent.mkdir(parents=True, exist_ok=True)
    folder.rename(place)
    to_disk(place.parent)


def to_disk(path: Path) -> None:
    """Have the kernel write a file or folder out, so that it outlives a crash of the machine."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
