"""Scene comparison: the entry of fidelity.json for all takes of one recording, network and cache mode."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from eyelevel_core.comparability.content import Arm, compare
from eyelevel_core.comparability.settings import Settings, contradictions
from eyelevel_core.model.scene import Scene, SettingsDifference


@dataclass(frozen=True)
class Evidence:
    """Findings in the files of one take. `content` and `counts` are None where the load event never fired.

    `counts` are the exact, equivalent, inexact and missed answers before load, `notes` sentences from the wire report.
    """

    content: Arm | None
    counts: Mapping[str, int] | None
    settings: Settings
    notes: Sequence[str]


def compare_scene(site: str, network: str, cache: str, takes: Mapping[str, Evidence]) -> Scene:
    """Compares the takes of a scene, which are given by path.

    A take whose load event never fired is not comparable, because its content before load is unknown.
    """
    takes = dict(sorted(takes.items()))
    contents = {path: take.content for path, take in takes.items() if take.content is not None}
    counts = {path: take.counts for path, take in takes.items() if take.counts is not None}
    compared = compare(contents)
    settings = {path: take.settings for path, take in takes.items()}
    return Scene(
        site=site,
        network=network,
        cache=cache,
        takes=tuple(takes),
        not_comparable=tuple(path for path in takes if path not in contents),
        differences=compared.differences,
        across_load=compared.across_load,
        network_failed=compared.network_failed,
        settings_differ=tuple(
            SettingsDifference(take, than, tuple(how)) for take, than, how in contradictions(settings)
        ),
        notes={path: tuple(take.notes) for path, take in takes.items() if take.notes},
        equivalent={path: counted["equivalent"] for path, counted in counts.items()},
        inexact={path: counted["inexact"] for path, counted in counts.items()},
        missed={path: counted["missed"] for path, counted in counts.items()},
    )
