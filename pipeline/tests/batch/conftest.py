"""Takes made by hand: films whose every frame is known, with a take.json that keeps its contract."""

import json
import subprocess
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from eyelevel.batch.build import build
from eyelevel.measure.film import measure_film
from eyelevel.measure.pages import measure_pages
from eyelevel.video import Frame
from eyelevel_core.batch_folder import BatchFolder
from eyelevel_core.contracts import check, sha256_of_bytes, sha256_of_file
from eyelevel_core.model.campaign import Campaign

WIDTH_PX, HEIGHT_PX = 320, 240
MakeTake = Callable[..., Path]


def page(level: int) -> Frame:
    """A page that is striped down to row `level` and white below: what has come so far of a load."""
    frame = np.full((HEIGHT_PX, WIDTH_PX, 3), 255, np.uint8)
    frame[:level] = (20, 60, 140)
    frame[:level].reshape(level, WIDTH_PX // 32, 32, 3)[:, :, :16] = (240, 200, 40)
    return frame


def film(path: Path, frames: Sequence[Frame]) -> Path:
    height, width, _ = frames[0].shape
    command = [
        *("ffmpeg", "-loglevel", "error", "-y", "-f", "rawvideo", "-pixel_format", "rgb24"),
        *("-video_size", f"{width}x{height}", "-framerate", "30", "-i", "pipe:0"),
        *("-c:v", "libx264rgb", "-preset", "ultrafast", "-crf", "0", str(path)),
    ]
    subprocess.run(command, input=b"".join(frame.tobytes() for frame in frames), check=True)
    return path


def digest(text: str) -> str:
    return sha256_of_bytes(text.encode())


def build_batch(batch_dir: Path, campaign: Mapping[str, Any]) -> Path:
    return build(BatchFolder(batch_dir), Campaign.of(campaign, source="campaign.toml"), measure=measure_pages)


CAMPAIGN: dict[str, Any] = {
    "contract": "eyelevel/campaign/1",
    "name": "small",
    "seed": 3,
    "networks": ["DSL"],
    "stacks": ["TCP+", "QUIC"],
    "sites": [{"name": "garden", "recording": "garden.warc.gz"}],
    "clips": {"researcher": False, "identical": False, "control_delay_ms": 0},
}


def empty_batch(folder: Path) -> Path:
    (folder / "campaign.toml").write_text('contract = "eyelevel/campaign/1"\n')
    return folder


@pytest.fixture
def batch_dir(tmp_path: Path) -> Path:
    return empty_batch(tmp_path)


@pytest.fixture
def campaign() -> dict[str, Any]:
    return dict(CAMPAIGN)


def write_take(
    batch_dir: Path,
    stack: str,
    shown: Sequence[tuple[float, int | Frame]],
    *,
    site: str = "garden",
    run: int = 1,
    settled_ms: float | None,
    plt_ms: float | None = None,
    cache: str = "cold",
    given_up: str | None = None,
) -> Path:
    """Write a take's folder: `shown` is [(ms, page level or picture)], one stored frame each.

    Of one that the browser gave up, the film shows the browser's own page, so that nothing is measured.
    """
    folder = batch_dir / "takes" / site / "DSL" / stack / f"{'run' if cache == 'cold' else cache}-{run:02d}"
    folder.mkdir(parents=True)
    film(folder / "film.mkv", [page(look) if isinstance(look, int) else look for _, look in shown])
    (folder / "frames.json").write_text(json.dumps({"times_ms": [ms for ms, _ in shown]}))
    (folder / "wire.json").write_text(json.dumps({"stack": stack}))
    measured = measure_film(folder / "film.mkv", [ms for ms, _ in shown]).as_json()
    if given_up is not None:
        measured = {**dict.fromkeys(measured), "progress": []}
    (folder / "progress.json").write_text(json.dumps(measured))
    names = ("film.mkv", "frames.json", "progress.json", "wire.json")
    files = {n: {"sha256": sha256_of_file(folder / n), "bytes": (folder / n).stat().st_size} for n in names}
    metrics = {name: measured[name] for name in ("fvc_ms", "si_ms", "vc85_ms", "lvc_ms")} | {"plt_ms": plt_ms}
    take = {
        "contract": "eyelevel/take/1",
        "site": site,
        "recording": digest(site),
        "start_url": f"https://{site}.example/",
        "network": {"name": "DSL", "digest": digest("DSL")},
        "stack": {"name": stack, "digest": digest(stack)},
        "cache": cache,
        "run": run,
        "seed": 1,
        "attempt": 1,
        "outcome": "unsettled" if settled_ms is None else "settled",
        "viewport": {"width_px": WIDTH_PX, "height_px": HEIGHT_PX},
        "film": {"path": "film.mkv", "frames": len(shown), "zero_error_ms": 0},
        "metrics": metrics,
        "settled_ms": settled_ms,
        "given_up": given_up,
        "fidelity": {"exact": 1, "equivalent": 0, "inexact": 0, "missed": 0, "before_load_digest": digest("same")},
        "provenance": {
            "tools": {},
            "fonts_digest": digest("fonts"),
            "browser_arguments": [],
            "page_script_digest": digest("script"),
        },
        "files": files,
    }
    check(take, "take.1", source="take.json")
    (folder / "take.json").write_text(json.dumps(take))
    return folder


@pytest.fixture
def make_take(batch_dir: Path) -> MakeTake:
    return partial(write_take, batch_dir)
