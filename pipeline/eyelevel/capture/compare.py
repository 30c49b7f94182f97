"""Reads the takes of a batch, and writes fidelity.json: where the stacks of a scene were not served the same."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from eyelevel.capture.fidelity import Arm, answers_before_load, arm, compare, counts
from eyelevel.capture.plan import Run

# what a take was served, and how its answers before load were found
Take = tuple[Arm, dict[str, int]]


def compare_scenes(batch: Path, runs: Iterable[Run]) -> list[dict[str, Any]]:
    """One entry per scene with at least one take, written to fidelity.json, too.

    A take whose load event did not come is not comparable: what it was served before load is unknown.
    """
    scenes: dict[tuple[str, str], dict[str, Take | None]] = defaultdict(dict)
    for run in runs:
        folder = batch / run.path
        if (folder / "take.json").is_file():
            scenes[run.site, run.network][run.path] = _read(folder)
    entries = [_entry(site, network, takes) for (site, network), takes in sorted(scenes.items())]
    (batch / "fidelity.json").write_text(json.dumps(entries, ensure_ascii=False, indent=1) + "\n")
    return entries


def _read(folder: Path) -> Take | None:
    if json.loads((folder / "take.json").read_text())["metrics"]["plt_ms"] is None:
        return None
    responses = json.loads((folder / "responses.json").read_text())
    requests = json.loads((folder / "wire.json").read_text())["server"]["requests"]
    return arm(responses, requests), counts(answers_before_load(responses, requests))


def _entry(site: str, network: str, takes: Mapping[str, Take | None]) -> dict[str, Any]:
    known = {path: take for path, take in sorted(takes.items()) if take is not None}
    compared = compare({path: served for path, (served, _) in known.items()})
    return {
        "site": site,
        "network": network,
        "takes": sorted(takes),
        "not_comparable": sorted(takes.keys() - known.keys()),
        "differences": compared.differences,
        "across_load": compared.across_load,
        "inexact": {path: counted["inexact"] for path, (_, counted) in known.items()},
        "missed": {path: counted["missed"] for path, (_, counted) in known.items()},
    }
