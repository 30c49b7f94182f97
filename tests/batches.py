"""A small batch as `eyelevel capture` writes it: sites x networks x stacks, and both orders of every pair."""

import hashlib
import itertools
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eyelevel_core.contracts import canonical_json, sha256_of_bytes, sha256_of_json

SITES = ("alpha", "beta")
NETWORKS = ("DSL", "LTE")
STACKS = ("TCP+", "QUIC")
WIDTH_PX, HEIGHT_PX, FRAME_RATE, DURATION_MS = 64, 36, 10, 500.0

# the bytes of the video with this number
Video = Callable[[int], bytes]


@dataclass
class Folder:
    """A batch folder in memory: the manifest as a value, and every file's bytes by path."""

    manifest: dict[str, Any]
    files: dict[str, bytes]

    @property
    def manifest_bytes(self) -> bytes:
        return json.dumps(self.manifest, indent=2).encode()

    @property
    def sha256(self) -> str:
        return sha256_of_bytes(self.manifest_bytes)

    @property
    def blobs(self) -> dict[str, bytes]:
        return {sha256_of_bytes(data): data for data in self.files.values()}

    def write(self, root: Path) -> None:
        """Write the batch into a folder."""
        for path, data in {**self.files, "manifest.json": self.manifest_bytes}.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(data)

    def put(self, path: str, data: bytes) -> None:
        """Write a file and list it."""
        self.files[path] = data
        self.manifest["files"][path] = {"sha256": sha256_of_bytes(data), "bytes": len(data)}


def fake_video(number: int) -> bytes:
    """Bytes that are no video: enough where nobody looks inside."""
    return f"clip {number}".encode()


def folder(
    video: Video = fake_video,
    *,
    campaign: str = "small",
    sites: Sequence[str] = SITES,
    networks: Sequence[str] = NETWORKS,
    stacks: Sequence[str] = STACKS,
) -> Folder:
    """A whole batch; `video` gives the bytes of each clip, which are WIDTH_PX x HEIGHT_PX and last DURATION_MS."""
    batch = Folder(
        {
            "contract": "eyelevel/batch/1",
            "campaign": {"name": campaign, "sha256": _digest(campaign), "seed": 1},
            "sites": [
                {"name": name, "recording": _digest(name), "start_url": f"https://{name}.example/"} for name in sites
            ],
            "networks": [{"name": name, "digest": _digest(name)} for name in networks],
            "stacks": [{"name": name, "digest": _digest(name)} for name in stacks],
            "takes": [],
            "clips": [],
            "files": {},
            "tools": {"ffmpeg": None},
        },
        {},
    )
    batch.put("campaign.toml", f'name = "{campaign}"\n'.encode())
    numbers = itertools.count()
    for site, network in itertools.product(sites, networks):
        takes = [_add_take(batch, site, network, stack) for stack in stacks]
        for take, stack in zip(takes, stacks, strict=True):
            _add_clip(batch, video(next(numbers)), site, network, [(take, stack)])
        for left, right in itertools.permutations(zip(takes, stacks, strict=True), 2):
            _add_clip(batch, video(next(numbers)), site, network, [left, right])
    return batch


def add_for_researchers(batch: Folder, data: bytes, *, like: int) -> str:
    """List `data` as the researchers' version of a clip; returns its digest."""
    path = f"researcher/{sha256_of_bytes(data)}.mp4"
    batch.put(path, data)
    clip = batch.manifest["clips"][like]
    batch.manifest["clips"].append({**clip, "audience": "researcher", "path": path, "sha256": sha256_of_bytes(data)})
    return sha256_of_bytes(data)


def add_like(batch: Folder, data: bytes, *, like: int, **changes: Any) -> None:
    """List `data` as a clip that differs from another one in `changes`."""
    path = f"clips/{sha256_of_bytes(data)}.mp4"
    batch.put(path, data)
    clip = batch.manifest["clips"][like]
    batch.manifest["clips"].append(clip | {"path": path, "sha256": sha256_of_bytes(data)} | changes)


def _add_take(batch: Folder, site: str, network: str, stack: str) -> str:
    place = len(batch.manifest["takes"])
    metrics = {
        "fvc_ms": 100.0 + place,
        "si_ms": 200.0 + place,
        "vc85_ms": 300.0 + place,
        "lvc_ms": 400.0 + place,
        "plt_ms": 350.0 + place if place else None,
    }
    take = {
        "contract": "eyelevel/take/1",
        "site": site,
        "recording": _digest(site),
        "start_url": f"https://{site}.example/",
        "network": {"name": network, "digest": _digest(network)},
        "stack": {"name": stack, "digest": _digest(stack)},
        "cache": "cold",
        "run": 1,
        "seed": 1,
        "attempt": 1,
        "outcome": "settled",
        "viewport": {"width_px": WIDTH_PX, "height_px": HEIGHT_PX},
        "film": {"path": "film.mkv", "frames": 5, "zero_error_ms": None},
        "metrics": metrics,
        "settled_ms": 450.0,
        "fidelity": {"exact": 3, "equivalent": 0, "inexact": 0, "missed": 0, "before_load_digest": _digest("same")},
        "provenance": {
            "tools": {},
            "fonts_digest": _digest("fonts"),
            "browser_arguments": [],
            "page_script_digest": _digest("script"),
        },
        "files": {"film.mkv": {"sha256": _digest("film"), "bytes": 4}},
    }
    path = f"takes/{site}/{network}/{stack}/run-01/take.json"
    batch.put(path, canonical_json(take))
    digest = sha256_of_json(take)
    batch.manifest["takes"].append(
        {
            "digest": digest,
            "path": path,
            "site": site,
            "network": network,
            "stack": stack,
            "run": 1,
            "outcome": "settled",
            "metrics": metrics,
        }
    )
    return digest


def _add_clip(batch: Folder, data: bytes, site: str, network: str, shown: Sequence[tuple[str, str]]) -> None:
    path = f"clips/{sha256_of_bytes(data)}.mp4"
    batch.put(path, data)
    batch.manifest["clips"].append(
        {
            "sha256": sha256_of_bytes(data),
            "path": path,
            "site": site,
            "network": network,
            "run": 1,
            "takes": [take for take, _ in shown],
            "stacks": [stack for _, stack in shown],
            "width_px": WIDTH_PX,
            "height_px": HEIGHT_PX,
            "duration_ms": DURATION_MS,
            "frame_rate": FRAME_RATE,
            "kind": "single" if len(shown) == 1 else "pair",
        }
    )


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
