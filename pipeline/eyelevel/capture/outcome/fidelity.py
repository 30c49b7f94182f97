"""Reads what the takes of a batch were served, and writes fidelity.json: content and settings compared per scene."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

from eyelevel_core.batch_folder import BatchFolder
from eyelevel_core.batch_folder.takes import RESPONSES, read_responses
from eyelevel_core.comparability.content import Arm, answers_before_load, arm, compare, counts, joined
from eyelevel_core.comparability.scenes import Evidence, compare_scene
from eyelevel_core.comparability.settings import settings_of
from eyelevel_core.comparability.unserved import is_unserved, unserved_before_load
from eyelevel_core.comparability.visible import missed_beyond
from eyelevel_core.model.replay_check import ReplayCheck
from eyelevel_core.model.run import Run
from eyelevel_core.model.scene import Scene


def compare_scenes(batch: BatchFolder, runs: Iterable[Run]) -> list[Scene]:
    """The scenes with at least one take; also writes them to fidelity.json."""
    scenes: dict[tuple[str, str, str], dict[str, Evidence]] = defaultdict(dict)
    for run in runs:
        folder = batch.take_folder(run)
        if (folder / "take.json").is_file():
            scenes[run.site, run.network, run.cache][run.path] = _read(folder)
    compared = [compare_scene(*scene, takes) for scene, takes in sorted(scenes.items())]
    batch.write_scenes(compared)
    return compared


def compare_sites(batch: BatchFolder, runs: Iterable[Run]) -> dict[tuple[str, str], list[str]]:
    """Takes that differ in content from most takes of their site and cache state, over all stacks and networks.

    Paths of takes, sorted, by (site, cache).
    """
    sites: dict[tuple[str, str], dict[str, Arm]] = defaultdict(dict)
    for run in runs:
        folder = batch.take_folder(run)
        content = _read(folder).content if (folder / "take.json").is_file() else None
        if content is not None:
            sites[run.site, run.cache][run.path] = content
    return {site: sorted(found.take for found in compare(arms).differences) for site, arms in sites.items()}


def beyond_checks(
    batch: BatchFolder, runs: Iterable[Run], checks: Mapping[str, ReplayCheck]
) -> dict[tuple[str, str], dict[str, list[str]]]:
    """Takes that missed what gate (a) covers although the site's replay check had it: URLs by path of the take.

    By (site, cache); what packet loss failed was not missed.
    """
    found: dict[tuple[str, str], dict[str, list[str]]] = defaultdict(dict)
    for run in runs:
        folder = batch.take_folder(run)
        if run.site in checks and (folder / "take.json").is_file():
            urls = missed_beyond(checks[run.site], _missed(folder))
            if urls:
                found[run.site, run.cache][run.path] = urls
    return found


def _missed(folder: Path) -> list[tuple[str, str]]:
    """Resource type and URL of the requests that were not recorded, or whose host and port replay does not serve."""
    server, responses = json.loads((folder / "wire.json").read_text())["server"], read_responses(folder / RESPONSES)
    missed = [response for response, answer in joined(responses, server["requests"]) if answer["kind"] == "miss"]
    unserved = [response for response in responses if is_unserved(response, server["origins"])]
    return [(response["resource_type"], response["url"]) for response in (*missed, *unserved)]


def _read(folder: Path) -> Evidence:
    wire = json.loads((folder / "wire.json").read_text())
    settings, notes = settings_of(wire), wire.get("notes", [])
    if json.loads((folder / "take.json").read_text())["metrics"]["plt_ms"] is None:
        return Evidence(None, None, settings, notes)
    responses = read_responses(folder / RESPONSES)
    requests, origins = wire["server"]["requests"], wire["server"]["origins"]
    answers = answers_before_load(responses, requests) + unserved_before_load(responses, origins)
    return Evidence(arm(responses, requests, origins), counts(answers), settings, notes)
