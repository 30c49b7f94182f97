"""The study of a bench: the demo's, with so many trials and places, published on a platform of its own."""

import json
from pathlib import Path
from typing import Any

import yaml
from platform_process import Platform

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures"
SAMPLE = FIXTURES / "sample-batch"
# of the demo's trials, these many in ten
RATED = 0.6


def publish(platform: Platform, folder: Path, *, trials: int, quota: int) -> dict[str, Any]:
    """The study as the API gives it."""
    study = yaml.safe_load((FIXTURES / "study-demo.yaml").read_text(encoding="utf-8"))
    rated = max(1, round(RATED * trials))
    counts = {"rate": rated, "compare": trials - rated}
    study["name"], study["quota"] = "load", {"sessions": quota}
    study["trials"] = [{"kind": kind, "count": count} for kind, count in counts.items() if count]
    for question in study["controls"]["questions"]:
        question["after"] = min(question["after"], trials)
    file = folder / "load.yaml"
    file.write_text(yaml.safe_dump(study, allow_unicode=True), encoding="utf-8")
    return platform.publish(SAMPLE, file)


def lengths_ms() -> dict[int, float]:
    """The length of each clip by its bytes, which a participant is told, other than its digest."""
    manifest = json.loads((SAMPLE / "manifest.json").read_text(encoding="utf-8"))
    found: dict[int, float] = {}
    for clip in manifest["clips"]:
        size_bytes, length_ms = manifest["files"][clip["path"]]["bytes"], clip["duration_ms"]
        if found.setdefault(size_bytes, length_ms) != length_ms:
            raise SystemExit(f"Two clips of the sample batch have {size_bytes} bytes, but not the same length.")
    return found
