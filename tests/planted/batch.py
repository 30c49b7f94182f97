"""Makes batches of painted films with planned Speed Indexes, for tests that know what must come out of votes on them.

A film shows a white page, then its heading (10 % of the pixels), its body (70 %) and its footer (20 %). Of a site on a
network, heading and footer come at the same time with every stack, and the body when the Speed Index asks for it: so
FVC, VC85 and LVC do not differ between stacks, and PLT is noise.
"""

import json
import random
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from eyelevel.batch.build import build
from eyelevel.batch.looked_at import Look, Measure, film_metrics
from eyelevel.batch.planned import Plan
from eyelevel.measure.film import measure_film
from eyelevel.measure.pages import measure_pages
from eyelevel_core.batch_folder import BatchFolder
from eyelevel_core.contracts import check, sha256_of_file

WIDTH_PX, HEIGHT_PX = 160, 90
# rows of heading and body; the rest is the footer
HEADING, BODY = 9, 63
SHARES = (0.1, 0.7, 0.2)
# of the planned times of a site on a network: heading before the fastest stack, footer after the slowest one
FIRST, LAST = 0.5, 1.3

# site, network and stack
Load = tuple[str, str, str]
Picture = NDArray[np.uint8]


def make_batch(
    folder: Path, name: str, si_ms: Mapping[Load, float], *, pairs: Sequence[tuple[str, str]], control_delay_ms: int
) -> Path:
    """Write takes, clips and manifest for a load of each site, network and stack with its Speed Index in ms."""
    folder.mkdir()
    (folder / "campaign.toml").write_text(_campaign(name, si_ms, pairs, control_delay_ms), encoding="utf-8")
    for load in si_ms:
        _write_take(folder, load, si_ms)
    opened = BatchFolder(folder)
    # hundreds of clips of four pictures are made, and comparing each with its film takes longer than encoding it
    with patch("eyelevel.batch.make_clips.look_at", _as_filmed):
        return build(opened, opened.campaign(), measure=measure_pages).parent


def _as_filmed(_clip: Path, plan: Plan, measure: Measure, **_: Any) -> Look:
    return Look([film_metrics(take, plan.timing_of(side), measure) for side, take in enumerate(plan.takes)], [], [])


def measured_si_ms(batch: Path) -> dict[Load, float]:
    """The Speed Indexes that the films of a batch have."""
    takes = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(batch.glob("takes/**/take.json"))]
    return {(take["site"], take["network"]["name"], take["stack"]["name"]): take["metrics"]["si_ms"] for take in takes}


def changes_ms(load: Load, si_ms: Mapping[Load, float]) -> tuple[float, float, float]:
    """When heading, body and footer come, in ms since navigation start."""
    site, network, _ = load
    all_ms = [
        value for (own_site, own_network, _), value in si_ms.items() if (own_site, own_network) == (site, network)
    ]
    first, last = FIRST * min(all_ms), LAST * max(all_ms)
    body = (si_ms[load] - SHARES[0] * first - SHARES[2] * last) / SHARES[1]
    if not first <= body <= last:
        raise ValueError(f"No film has the Speed Index {si_ms[load]} ms of {load} beside its other stacks.")
    return first, body, last


def _campaign(name: str, si_ms: Mapping[Load, float], pairs: Sequence[tuple[str, str]], control_delay_ms: int) -> str:
    sites, networks, stacks = (list(dict.fromkeys(values)) for values in zip(*si_ms, strict=True))
    lines = [
        'contract = "eyelevel/campaign/1"',
        f'name = "{name}"',
        "seed = 1",
        "runs = 1",
        f"networks = {json.dumps(networks)}",
        f"stacks = {json.dumps(stacks)}",
        f"pairs = {json.dumps([list(pair) for pair in pairs])}",
        *(f'[[sites]]\nname = "{site}"\nrecording = "{site}.warc.gz"' for site in sites),
        "[clips]",
        "quantiles = []",
        "researcher = false",
        "still_ms = 200",
        "tail_ms = 0",
        f"control_delay_ms = {control_delay_ms}",
    ]
    return "\n".join(lines) + "\n"


def _write_take(batch: Path, load: Load, si_ms: Mapping[Load, float]) -> None:
    site, network, stack = load
    folder = batch / "takes" / site / network / stack / "run-01"
    folder.mkdir(parents=True)
    times_ms = [-500.0, *(round(ms, 3) for ms in changes_ms(load, si_ms))]
    _write_film(folder / "film.mkv", list(_pictures(load)))
    _write(folder / "frames.json", {"times_ms": times_ms})
    measured = measure_film(folder / "film.mkv", times_ms).as_json()
    _write(folder / "progress.json", measured)
    plt_ms = round(times_ms[-1] * random.Random(" ".join(load)).uniform(0.7, 1.0), 3)
    take = {
        "contract": "eyelevel/take/1",
        "site": site,
        "recording": _digest(site),
        "start_url": f"https://{site}/",
        "network": {"name": network, "digest": _digest(network)},
        "stack": {"name": stack, "digest": _digest(stack)},
        "cache": "cold",
        "run": 1,
        "seed": 1,
        "attempt": 1,
        "outcome": "settled",
        "viewport": {"width_px": WIDTH_PX, "height_px": HEIGHT_PX},
        "film": {
            "path": "film.mkv",
            "frames": len(times_ms),
            "zero_error_ms": 0,
        },
        "metrics": {name: measured[name] for name in ("fvc_ms", "si_ms", "vc85_ms", "lvc_ms")} | {"plt_ms": plt_ms},
        "settled_ms": round(times_ms[-1] + 100, 3),
        "given_up": None,
        "fidelity": {"exact": 1, "equivalent": 0, "inexact": 0, "missed": 0, "before_load_digest": _digest("same")},
        "provenance": {
            "tools": {},
            "fonts_digest": _digest("fonts"),
            "browser_arguments": [],
            "page_script_digest": _digest("script"),
        },
        "files": {name: _entry(folder / name) for name in ("film.mkv", "frames.json", "progress.json")},
    }
    check(take, "take.1", source=str(folder / "take.json"))
    _write(folder / "take.json", take)


def _pictures(load: Load) -> Iterator[Picture]:
    page = np.full((HEIGHT_PX, WIDTH_PX, 3), 255, np.uint8)
    yield page.copy()
    ground, mark = sha256(load[0].encode()).digest(), sha256(" ".join(load).encode()).digest()
    page[:HEADING] = [value // 2 for value in ground[:3]]
    # two stacks with the same times have different films all the same
    page[:8, :8] = [value // 2 for value in mark[:3]]
    yield page.copy()
    page[HEADING : HEADING + BODY] = [value // 2 for value in ground[3:6]]
    yield page.copy()
    page[HEADING + BODY :] = [value // 2 for value in ground[6:9]]
    yield page.copy()


def _write_film(path: Path, frames: Sequence[Picture]) -> None:
    command = [
        *("ffmpeg", "-loglevel", "error", "-y", "-f", "rawvideo", "-pixel_format", "rgb24"),
        *("-video_size", f"{WIDTH_PX}x{HEIGHT_PX}", "-framerate", "60", "-i", "pipe:0"),
        *("-c:v", "libx264rgb", "-preset", "ultrafast", "-crf", "0", str(path)),
    ]
    subprocess.run(command, input=b"".join(frame.tobytes() for frame in frames), check=True)


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _entry(path: Path) -> dict[str, Any]:
    return {"sha256": sha256_of_file(path), "bytes": path.stat().st_size}


def _write(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, indent=1, sort_keys=True) + "\n", encoding="utf-8")
