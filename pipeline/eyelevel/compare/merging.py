"""Joins batches of one build and browser, so that a comparison reads them as one. Pure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from eyelevel.compare.model import Batch, Load
from eyelevel.errors import BadInputError
from eyelevel.report.words import listed, plural
from eyelevel_core.comparability.model import Findings
from eyelevel_core.contracts import sha256_of_json
from eyelevel_core.model.attempt import Attempt
from eyelevel_core.model.campaign import Campaign
from eyelevel_core.model.replay_check import ReplayCheck
from eyelevel_core.model.take import Definition

# tools whose versions make a build and a browser; others may differ, and the report lists them
BUILD = ("eyelevel", "testbed", "chromium")
# what decides what a site's page shows, or what of it counts; fields of a take with their names
OF_SITE = {
    "page_seed": "seed of the page's random numbers",
    "mask_digest": "motion mask",
    "volatile_digest": "volatile parameters",
}
# fields of a campaign that decide what a take is, or how takes are compared
SAME = ("paired", "quiet_ms", "viewport", "scheduler", "priority_updates", "group_by")


def merged(batches: Mapping[Path, Batch]) -> Batch:
    """One batch with all takes. BadInputError, naming two folders, where they contradict each other.

    They do if their builds or browsers differ, if a name means another stack, network or recording, if a field of
    OF_SITE differs for a site, if their campaigns differ in a field of SAME or in the limit of a network, or if both
    have a take of one run.
    """
    found = list(batches.items())
    (first, batch), others = found[0], found[1:]
    if not others:
        return batch
    for path, other in others:
        _check_alike(first, batch, path, other)
    for place, (path, other) in enumerate(found):
        for earlier, one in found[:place]:
            _check_names(earlier, one, path, other)
            _check_sites(earlier, one, path, other)
    campaign = _campaign([one.campaign for one in batches.values()])
    loads = [load for one in batches.values() for load in one.loads]
    networks = list(campaign.networks)
    loads.sort(key=lambda load: (load.site, networks.index(load.network), load.stack, load.cache, load.run))
    digests = [one.digest for one in batches.values() if one.digest is not None]
    return Batch(
        campaign=campaign,
        digest=", ".join(digests) if len(digests) == len(batches) else None,
        takes_digest=sha256_of_json(sorted(load.digest for load in loads)),
        loads=loads,
        attempts=_attempts([one.attempts for one in batches.values()]),
        findings=_findings([one.findings for one in batches.values()]),
        networks=_definitions([one.networks for one in batches.values()]),
        stacks=_definitions([one.stacks for one in batches.values()]),
        checks=_checks([one.checks for one in batches.values()]),
        remarks=[*dict.fromkeys(words for one in batches.values() for words in one.remarks), *_spread(batches)],
        campaigns=tuple(campaign for one in batches.values() for campaign in one.campaigns),
        sentinels=[load for one in batches.values() for load in one.sentinels],
    )


def _check_alike(first: Path, batch: Batch, path: Path, other: Batch) -> None:
    for tool in BUILD:
        ours, theirs = (sorted({load.tools.get(tool) or "unknown" for load in one.loads}) for one in (batch, other))
        if ours != theirs:
            raise BadInputError(
                f"{path} was captured with {tool} {listed(theirs)}, but {first} with {listed(ours)}; batches of two "
                "builds or browsers cannot be compared together."
            )
    here, there = (listed([device.words for device in one.campaign.devices]) for one in (batch, other))
    if here != there:
        raise BadInputError(
            f"{path} was captured on {there}, but {first} on {here}; takes of two device profiles are not compared "
            "together. Compare the batches apart, or give --device."
        )
    for name in SAME:
        if getattr(batch.campaign, name) != getattr(other.campaign, name):
            raise BadInputError(
                f"{path}: campaign.toml has {name} {getattr(other.campaign, name)}, but that of {first} has "
                f"{getattr(batch.campaign, name)}; batches compared together must have the same."
            )


def _check_names(first: Path, batch: Batch, path: Path, other: Batch) -> None:
    """What one name means in both, and that no run is in both."""
    meanings: list[tuple[str, Callable[[Batch], Mapping[str, object]]]] = [
        ("stack", lambda one: _digests(one.stacks)),
        ("network", lambda one: _digests(one.networks)),
        ("site", lambda one: {load.site: load.recording for load in one.loads}),
        ("limit of the network", lambda one: one.campaign.limits_ms),
    ]
    for noun, meaning in meanings:
        ours, theirs = meaning(batch), meaning(other)
        for name in sorted(ours.keys() & theirs.keys()):
            if ours[name] != theirs[name]:
                raise BadInputError(
                    f"{path} means something else by the {noun} {name} than {first}; compare these batches apart."
                )
    both = {load.path for load in batch.loads} & {load.path for load in other.loads}
    if both:
        raise BadInputError(f"{first} and {path} both have {min(both)}; a run can count only once.")


def _check_sites(first: Path, batch: Batch, path: Path, other: Batch) -> None:
    """That the takes of a site show one page, and are measured by one mask."""
    for field, words in OF_SITE.items():
        ours, theirs = _by_site(batch, field), _by_site(other, field)
        for site in sorted(ours.keys() & theirs.keys()):
            if ours[site] != theirs[site]:
                raise BadInputError(
                    f"{path}: takes of {site} have the {words} {listed(theirs[site])} ({field}), but those of {first} "
                    f"have {listed(ours[site])}; batches compared together must have the same."
                )


def _by_site(batch: Batch, field: str) -> Mapping[str, list[str]]:
    found: dict[str, set[str]] = {}
    for load in batch.loads:
        value = getattr(load, field)
        found.setdefault(load.site, set()).add("none" if value is None else str(value))
    return {site: sorted(values) for site, values in found.items()}


def _digests(definitions: Mapping[str, Definition]) -> Mapping[str, str]:
    return {name: one.digest for name, one in definitions.items()}


def _campaign(campaigns: Sequence[Campaign]) -> Campaign:
    """The first one, with what all of them name."""

    def every(values: Callable[[Campaign], Sequence[Any]]) -> tuple[Any, ...]:
        return tuple(dict.fromkeys(value for one in campaigns for value in values(one)))

    sites = {site.name: site for one in campaigns for site in one.sites}
    networks = every(lambda one: one.networks)
    return replace(
        campaigns[0],
        name=" + ".join(every(lambda one: [one.name])),
        runs_on={name: max(one.runs_of(name) for one in campaigns if name in one.networks) for name in networks},
        caches=every(lambda one: one.caches),
        networks=networks,
        stacks=every(lambda one: one.stacks),
        pairs=every(lambda one: one.pairs),
        sites=tuple(sites.values()),
        max_machine_share=min(one.max_machine_share for one in campaigns),
        limits_s={name: one.limit_s_of(name) for one in campaigns for name in one.networks},
        own_networks={name: table for one in campaigns for name, table in one.own_networks.items()},
    )


def _attempts(found: Sequence[Sequence[Attempt] | None]) -> Sequence[Attempt] | None:
    """None where one batch has no record of them, for then their number is unknown."""
    known = [own for own in found if own is not None]
    return [attempt for own in known for attempt in own] if len(known) == len(found) else None


def _findings(found: Sequence[Findings | None]) -> Findings | None:
    """Those of all batches that have any; takes of the others are among none of them, as before capture has ended."""
    known = [own for own in found if own is not None]
    if not known:
        return None
    return Findings(
        takes=frozenset().union(*(own.takes for own in known)),
        content_mismatches={path: one for own in known for path, one in own.content_mismatches.items()},
        settings_mismatches=[one for own in known for one in own.settings_mismatches],
        network_failed=frozenset().union(*(own.network_failed for own in known)),
    )


def _checks(found: Sequence[Mapping[str, ReplayCheck]]) -> Mapping[str, ReplayCheck]:
    """A site's loads of all batches: each of them must pass the gates."""
    joined: dict[str, ReplayCheck] = {}
    for own in found:
        for site, check in own.items():
            before = joined.get(site)
            joined[site] = check if before is None else _joined(before, check)
    return joined


def _joined(one: ReplayCheck, other: ReplayCheck) -> ReplayCheck:
    return replace(one, loads=(*one.loads, *other.loads), failure=one.failure or other.failure)


def _definitions(found: Sequence[Mapping[str, Definition]]) -> Mapping[str, Definition]:
    return dict(sorted({name: one for own in found for name, one in own.items()}.items()))


def _spread(batches: Mapping[Path, Batch]) -> list[str]:
    """A remark where takes of a scene are in several batches, whose answers nobody compared."""

    def scenes(loads: Sequence[Load]) -> set[tuple[str, str, str]]:
        return {(load.site, load.network, load.cache) for load in loads}

    seen: set[tuple[str, str, str]] = set()
    several: set[tuple[str, str, str]] = set()
    for batch in batches.values():
        own = scenes(batch.loads)
        several |= seen & own
        seen |= own
    if not several:
        return []
    site, network, _ = min(several)
    return [
        f"Takes of {plural(len(several), 'scene')} (such as {site} on {network}) are in several batches: that they "
        "were served the same content was checked within each batch only."
    ]
