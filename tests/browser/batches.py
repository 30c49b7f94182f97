"""Makes changed copies of a batch for uploads: renamed, or with a truncated video."""

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path

# an empty box, which players pass over
FREE_BOX = b"\x00\x00\x00\x08free"


def renamed(batch: Path, folder: Path, *, name: str) -> Path:
    """The same batch under another campaign's name, with one video that no server has seen."""
    return _changed(batch, folder, name=name, change=lambda data: data + FREE_BOX)


def truncated(batch: Path, folder: Path, *, name: str) -> tuple[Path, str]:
    """A batch with a video that lacks its last third, all digests right; and the path of the culprit."""
    changed = _changed(batch, folder, name=name, change=lambda data: data[: len(data) * 2 // 3])
    manifest = json.loads((changed / "manifest.json").read_text(encoding="utf-8"))
    return changed, manifest["clips"][0]["path"]


def _changed(batch: Path, folder: Path, *, name: str, change: Callable[[bytes], bytes]) -> Path:
    copy = folder / name
    shutil.copytree(batch, copy, ignore=shutil.ignore_patterns("film.mkv"))
    manifest = json.loads((copy / "manifest.json").read_text(encoding="utf-8"))
    manifest["campaign"]["name"] = name
    clip = manifest["clips"][0]
    old = copy / clip["path"]
    data = change(old.read_bytes())
    old.unlink()
    del manifest["files"][clip["path"]]
    digest = hashlib.sha256(data).hexdigest()
    clip |= {"sha256": digest, "path": f"clips/{digest}.mp4"}
    (copy / clip["path"]).write_bytes(data)
    manifest["files"][clip["path"]] = {"sha256": digest, "bytes": len(data), "media_type": "video/mp4"}
    (copy / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return copy
