"""A platform that listens, and a batch folder to send."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from eyelevel_core.contracts import check, sha256_of_bytes

from .platform_server import Handler, State, serving


@pytest.fixture
def server() -> Iterator[State]:
    state = State()
    with serving(type("OneServer", (Handler,), {"state": state})) as url:
        state.url = url
        yield state


def digest(text: str) -> str:
    return sha256_of_bytes(text.encode())


@pytest.fixture
def batch_dir(tmp_path: Path) -> Path:
    """A folder that keeps the contract; only a platform with ffprobe would see that the clip is no video."""
    files = {
        "campaign.toml": b"name = 'small'\n",
        "takes/garden/DSL/QUIC/run-01/take.json": b"{}",
        "clips/clip.mp4": bytes(range(256)) * 4096,
    }
    listed = {name: {"sha256": sha256_of_bytes(data), "bytes": len(data)} for name, data in files.items()}
    for name, data in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    scene = {"site": "garden", "network": "DSL", "run": 1}
    manifest: dict[str, Any] = {
        "contract": "eyelevel/batch/1",
        "campaign": {"name": "small", "sha256": listed["campaign.toml"]["sha256"], "seed": 1},
        "sites": [{"name": "garden", "recording": digest("garden"), "start_url": "https://garden.example/"}],
        "networks": [{"name": "DSL", "digest": digest("DSL")}],
        "stacks": [{"name": "QUIC", "digest": digest("QUIC")}],
        "takes": [
            {
                **scene,
                "digest": digest("take"),
                "path": "takes/garden/DSL/QUIC/run-01/take.json",
                "stack": "QUIC",
                "outcome": "settled",
                "metrics": dict.fromkeys(["fvc_ms", "si_ms", "vc85_ms", "lvc_ms", "plt_ms"]),
            }
        ],
        "clips": [
            {
                **scene,
                "sha256": listed["clips/clip.mp4"]["sha256"],
                "path": "clips/clip.mp4",
                "kind": "single",
                "takes": [digest("take")],
                "stacks": ["QUIC"],
                "width_px": 1280,
                "height_px": 720,
                "duration_ms": 1000,
                "frame_rate": 30,
            }
        ],
        "files": listed,
        "tools": {},
    }
    check(manifest, "batch.1", source="manifest.json")
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    return tmp_path
