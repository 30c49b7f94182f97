"""Reads the takes of a batch, and writes fidelity.json: where the stacks of a scene were not served the same."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from eyelevel.capture.fidelity import Arm, answers_before_load, arm, compare, counts
from eyelevel.capture.wire_parity import Settings, settings_of, unexplained
from eyelevel_core.batch_folder import BatchFolder
from eyelevel_core.model.run import Run

# what a take was served, and how its answers before load were found
Take = tuple[Arm, dict[str, int]]
# the first is None where the load event did not come; what the wire report says of itself is known all the same
Read = tuple[Take | None, Settings, list[str]]


def compare_scenes(batch: BatchFolder, runs: Iterable[Run]) -> list[dict[str, Any]]:
    """One entry per scene with at least one take, written to fidelity.json, too.

    A take whose load event did not come is not comparable: what it was served before load is unknown.
    """
    scenes: dict[tuple[str, str, str], dict[str, Read]] = defaultdict(dict)
    for run in runs:
        folder = batch.take_folder(run)
        if (folder / "take.json").is_file():
            scenes[run.site, run.network, run.cache][run.path] = _read(folder)
    entries = [_entry(*scene, takes) for scene, takes in sorted(scenes.items())]
    batch.write_scenes(entries)
    return entries


def compare_sites(batch: BatchFolder, runs: Iterable[Run]) -> dict[str, list[str]]:
    """Per site, the takes that were not served what most takes of it were, over all stacks and networks."""
    sites: dict[tuple[str, str], dict[str, Arm]] = defaultdict(dict)
    for run in runs:
        folder = batch.take_folder(run)
        take = _read(folder)[0] if (folder / "take.json").is_file() else None
        if take is not None:
            sites[run.site, run.cache][run.path] = take[0]
    found: dict[str, list[str]] = defaultdict(list)
    for (site, _), arms in sites.items():
        found[site] += [difference["take"] for difference in compare(arms).differences]
    return {site: sorted(paths) for site, paths in found.items()}


def _read(folder: Path) -> Read:
    wire = json.loads((folder / "wire.json").read_text())
    settings, notes = settings_of(wire), wire.get("notes", [])
    if json.loads((folder / "take.json").read_text())["metrics"]["plt_ms"] is None:
        return None, settings, notes
    responses = json.loads((folder / "responses.json").read_text())
    requests = wire["server"]["requests"]
    return (arm(responses, requests), counts(answers_before_load(responses, requests))), settings, notes


def _entry(site: str, network: str, cache: str, takes: Mapping[str, Read]) -> dict[str, Any]:
    known = {path: take for path, (take, *_) in sorted(takes.items()) if take is not None}
    compared = compare({path: served for path, (served, _) in known.items()})
    return {
        "site": site,
        "network": network,
        "cache": cache,
        "takes": sorted(takes),
        "not_comparable": sorted(takes.keys() - known.keys()),
        "differences": compared.differences,
        "across_load": compared.across_load,
        "network_failed": compared.network_failed,
        "settings_differ": _settings_differ({path: settings for path, (_, settings, _) in sorted(takes.items())}),
        "notes": {path: notes for path, (*_, notes) in sorted(takes.items()) if notes},
        "inexact": {path: counted["inexact"] for path, (_, counted) in known.items()},
        "missed": {path: counted["missed"] for path, (_, counted) in known.items()},
    }


def _settings_differ(takes: Mapping[str, Settings]) -> list[dict[str, Any]]:
    """Takes, each held against all that came before it, as what two stacks may differ in hangs on which two they are.

    A take is named once, with the first that it contradicts. Those of equal settings are asked only once.
    """
    rows = []
    models: dict[str, Settings] = {}
    for path, settings in takes.items():
        for model_path, model in models.items():
            if how := unexplained(model, settings):
                rows.append({"take": path, "than": model_path, "how": how})
                break
        if settings not in models.values():
            models[path] = settings
    return rows
