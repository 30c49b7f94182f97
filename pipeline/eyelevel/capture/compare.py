"""Reads the takes of a batch, and writes fidelity.json: where the stacks of a scene were not served the same."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from eyelevel.capture.fidelity import answers_before_load, compare, counts, served
from eyelevel.capture.plan import Run


def compare_scenes(batch: Path, runs: Iterable[Run]) -> list[dict[str, Any]]:
    """One entry per scene with at least one take, written to fidelity.json, too.

    A take whose load event did not come is not comparable: what it was served before load is unknown.
    """
    scenes: dict[tuple[str, str], dict[str, list[Mapping[str, Any]] | None]] = defaultdict(dict)
    for run in runs:
        folder = batch / run.path
        if (folder / "take.json").is_file():
            scenes[run.site, run.network][run.path] = _answers(folder)
    entries = [_entry(site, network, takes) for (site, network), takes in sorted(scenes.items())]
    (batch / "fidelity.json").write_text(json.dumps(entries, ensure_ascii=False, indent=1) + "\n")
    return entries


def _answers(folder: Path) -> list[Mapping[str, Any]] | None:
    if json.loads((folder / "take.json").read_text())["metrics"]["plt_ms"] is None:
        return None
    responses = json.loads((folder / "responses.json").read_text())
    wire = json.loads((folder / "wire.json").read_text())
    return answers_before_load(responses, wire["server"]["requests"])


def _entry(site: str, network: str, takes: Mapping[str, list[Mapping[str, Any]] | None]) -> dict[str, Any]:
    known = {path: answers for path, answers in sorted(takes.items()) if answers is not None}
    return {
        "site": site,
        "network": network,
        "takes": sorted(takes),
        "not_comparable": sorted(takes.keys() - known.keys()),
        "differences": compare({path: served(answers) for path, answers in known.items()}),
        "inexact": {path: counts(answers)["inexact"] for path, answers in known.items()},
        "missed": {path: counts(answers)["missed"] for path, answers in known.items()},
    }
