"""Compares the content and settings that takes were served, per scene and site, and lists missed requests.

Each take's wire report and responses are read once.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Self

from eyelevel_core.batch_folder import BatchFolder
from eyelevel_core.batch_folder.files import read_object
from eyelevel_core.batch_folder.takes import RESPONSES, WIRE, read_responses
from eyelevel_core.comparability.content import Arm, answers_before_load, arm, compare, counts, joined
from eyelevel_core.comparability.scenes import Evidence, compare_scene
from eyelevel_core.comparability.settings import settings_of
from eyelevel_core.comparability.unserved import is_unserved, unserved_before_load
from eyelevel_core.comparability.visible import missed_beyond
from eyelevel_core.contracts import ContractError
from eyelevel_core.model.replay_check import ReplayCheck
from eyelevel_core.model.run import Run
from eyelevel_core.model.scene import Scene
from eyelevel_core.model.take import Take
from eyelevel_core.model.wire import WireReport

# site and cache mode
SiteState = tuple[str, str]


@dataclass(frozen=True)
class ServedTake:
    """The answers to a take. `missed` are resource type and URL of the requests for which replay had no answer."""

    run: Run
    evidence: Evidence
    missed: tuple[tuple[str, str], ...]

    @classmethod
    def read(cls, batch: BatchFolder, run: Run, take: Take) -> Self:
        """Reads the files of a take; raises ContractError if a file is missing or invalid."""
        folder = batch.take_folder(run)
        # capture checked the contract of the report before it stored the take
        wire, responses = WireReport.of(read_object(folder / WIRE)), read_responses(folder / RESPONSES)
        if wire.server is None:
            raise ContractError(f"{folder / WIRE} has no part of the servers; capture the take again.")
        requests, origins = wire.server.requests, wire.server.origins
        settings, loaded = settings_of(wire), take.metrics["plt_ms"] is not None
        answers = answers_before_load(responses, requests) + unserved_before_load(responses, origins)
        unanswered = [response for response, answer in joined(responses, requests) if answer.kind == "miss"]
        unserved = [response for response in responses if is_unserved(response, origins)]
        return cls(
            run=run,
            evidence=Evidence(
                content=arm(responses, requests, origins) if loaded else None,
                counts=counts(answers) if loaded else None,
                settings=settings,
                notes=wire.notes,
            ),
            missed=tuple((response.resource_type, response.url) for response in (*unanswered, *unserved)),
        )


def read_served(batch: BatchFolder, runs: Iterable[Run], takes: Mapping[str, Take]) -> list[ServedTake]:
    """Reads the answers to the takes, in the order of their runs; `takes` by path of the run."""
    return [ServedTake.read(batch, run, takes[run.path]) for run in runs if run.path in takes]


def compare_scenes(takes: Iterable[ServedTake]) -> list[Scene]:
    """Compares the takes of each scene that has at least one."""
    scenes: dict[tuple[str, str, str], dict[str, Evidence]] = defaultdict(dict)
    for take in takes:
        scenes[take.run.site, take.run.network, take.run.cache][take.run.path] = take.evidence
    return [compare_scene(*scene, members) for scene, members in sorted(scenes.items())]


def compare_sites(takes: Iterable[ServedTake]) -> dict[SiteState, list[str]]:
    """Returns takes that differ in content from most takes of their site and cache mode, over all stacks and networks.

    These are paths of takes, sorted.
    """
    sites: dict[SiteState, dict[str, Arm]] = defaultdict(dict)
    for take in takes:
        if take.evidence.content is not None:
            sites[take.run.site, take.run.cache][take.run.path] = take.evidence.content
    return {site: sorted(difference.take for difference in compare(arms).differences) for site, arms in sites.items()}


def beyond_checks(
    takes: Iterable[ServedTake], checks: Mapping[str, ReplayCheck]
) -> dict[SiteState, dict[str, list[str]]]:
    """Returns takes that missed URLs that the page needs and the site's replay check had: URLs by path of the take.

    Requests that failed because of packet loss do not count as missed.
    """
    missed: dict[SiteState, dict[str, list[str]]] = defaultdict(dict)
    for take in takes:
        check = checks.get(take.run.site)
        if check is not None and (urls := missed_beyond(check, take.missed)):
            missed[take.run.site, take.run.cache][take.run.path] = urls
    return missed
