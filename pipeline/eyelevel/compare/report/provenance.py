"""The facts that are needed to reproduce the report, without its time and place."""

from collections.abc import Callable, Iterable
from importlib.metadata import version

import numpy
import scipy

from eyelevel.compare.comparison import Comparison
from eyelevel.compare.inference import CORRECTIONS
from eyelevel.compare.model import Load
from eyelevel_core.comparability.visible import LEAST_SIMILARITY, MOST_PAINTED
from eyelevel_core.model.campaign import Campaign
from eyelevel_core.model.device import DESKTOP
from eyelevel_core.model.take import Definition
from eyelevel_stats.arms import METHOD_VERSION

# by cache mode
VISITS = {
    "cold": "first, with nothing in the cache",
    "http": "second, with the HTTP cache of the first",
    "altsvc": "second, with the alternative services that the first learned",
    "tickets": "second, in the browser of the first, without its cache and connections",
    "all": "second, with everything that the first left",
}


def campaign_words(campaign: Campaign) -> str:
    """Returns a description such as "lab, seed 7, 11 runs, 31 on DSL"."""
    runs = [f"{campaign.runs} runs", *(f"{runs} on {network}" for network, runs in campaign.runs_on.items())]
    return f"{campaign.name}, seed {campaign.seed}, {', '.join(runs)}"


def facts(comparison: Comparison) -> list[tuple[str, str]]:
    """Returns the facts as names with values, in order."""
    batch, choices = comparison.batch, comparison.choices
    campaign = batch.campaign
    return [
        *(("campaign", campaign_words(part)) for part in batch.campaigns),
        ("limit of a take", ", ".join(f"{name} {ms / 1000:g} s" for name, ms in campaign.limits_ms.items())),
        ("visits", VISITS[choices.cache]),
        *(("device", device.words) for device in campaign.devices if device != DESKTOP),
        ("batch", batch.digest or "no manifest of these takes"),
        ("takes", f"{len(batch.loads)}, together {batch.takes_digest}"),
        *((f"stack {name}", definition_words(value)) for name, value in batch.stacks.items()),
        *((f"network {name}", definition_words(value)) for name, value in batch.networks.items()),
        *((f"recording of {row.site}", row.recording) for row in comparison.sites),
        *of_sites(batch.loads, "motion mask", lambda load: load.mask_digest),
        *of_sites(batch.loads, "volatile parameters", lambda load: load.volatile_digest),
        ("pairs", ", ".join(str(pair) for pair in choices.pairs)),
        (
            "bounds of the replay check",
            f"{MOST_PAINTED:.0%} of the viewport missed or inexact, SSIM {LEAST_SIMILARITY:g}",
        ),
        ("correction", CORRECTIONS[choices.correction]),
        ("cost of filming", f"up to {100 * choices.film_cost:g} % of the time more with one stack than with another"),
        ("compared within", "blocks of one run number" if campaign.paired else "settings"),
        *(("captured with " + name, value) for name, value in tool_versions(batch.loads)),
        (
            "compared with",
            f"eyelevel {version('eyelevel')}, method {METHOD_VERSION}, numpy {numpy.__version__}, "
            f"scipy {scipy.__version__}",
        ),
    ]


def of_sites(loads: Iterable[Load], noun: str, value: Callable[[Load], str | None]) -> list[tuple[str, str]]:
    """Returns the values of the takes of each site; `none` if they have none."""
    values_of: dict[str, set[str]] = {}
    for load in loads:
        values_of.setdefault(load.site, set()).add(value(load) or "none")
    return [(f"{noun} of {site}", ", ".join(sorted(values))) for site, values in sorted(values_of.items())]


def definition_words(value: Definition) -> str:
    """Returns the fields of a stack or a network, and its digest."""
    fields = sorted(value.definition.items())
    words = ", ".join(f"{name} {_plain(field)}" for name, field in fields if name != "name")
    return f"{words}; {value.digest}" if words else value.digest


def _plain(field: object) -> str:
    if isinstance(field, bool):
        return "on" if field else "off"
    return "unknown" if field is None else f"{field:g}" if isinstance(field, float) else str(field)


def tool_versions(loads: Iterable[Load]) -> list[tuple[str, str]]:
    """Returns the versions of each tool; several versions are a reason for caution."""
    versions: dict[str, set[str]] = {}
    for load in loads:
        for name, value in load.tools.items():
            versions.setdefault(name, set()).add(value or "unknown")
    return [(name, " and ".join(sorted(values))) for name, values in sorted(versions.items())]
