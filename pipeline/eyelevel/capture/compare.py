"""Reads the takes of a batch, and writes fidelity.json: where the stacks of a scene were not served the same."""

import json
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from eyelevel.capture.fidelity import Served, answers_before_load, compare, counts, served
from eyelevel.capture.plan import Run


def compare_scenes(batch: Path, runs: Iterable[Run]) -> list[dict[str, Any]]:
    """One entry per scene with at least one take, written to fidelity.json, too."""
    scenes: dict[tuple[str, str], dict[str, list[Served]]] = defaultdict(dict)
    missed: dict[str, int] = {}
    for run in runs:
        folder = batch / run.path
        if (folder / "take.json").is_file():
            responses = json.loads((folder / "responses.json").read_text())
            wire = json.loads((folder / "wire.json").read_text())
            answers = answers_before_load(responses, wire["server"]["requests"])
            scenes[run.site, run.network][run.path] = served(answers)
            missed[run.path] = counts(answers)["missed"]
    entries = [
        {
            "site": site,
            "network": network,
            "takes": sorted(takes),
            "differences": compare(takes),
            "missed": {path: missed[path] for path in sorted(takes)},
        }
        for (site, network), takes in sorted(scenes.items())
    ]
    (batch / "fidelity.json").write_text(json.dumps(entries, ensure_ascii=False, indent=1) + "\n")
    return entries
