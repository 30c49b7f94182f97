"""Merges batches of one build and browser, so that they are compared as one. Pure."""

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
# fields of a take, with their names, that determine what a site's page shows or what part of it is measured
OF_SITE = {
    "page_seed": "seed of the page's random numbers",
    "mask_digest": "motion mask",
    "volatile_digest": "volatile parameters",
}
# fields of a campaign that determine what a take is, or how takes are compared
SAME = ("paired", "quiet_ms", "viewport", "scheduler", "priority_updates", "group_by")


def merged(batches: Mapping[Path, Batch]) -> Batch:
    """Returns one batch with all takes; raises BadInputError, naming two folders, if they contradict each other.

    They do if their builds or browsers differ, if a name means different stacks, networks or recordings, if a field of
    OF_SITE differs for a site, if their campaigns differ in a field of SAME or in the limit of a network, or if both
    have a take of the same run.
    """
    entries = list(batches.items())
    (first, batch), others = entries[0], entries[1:]
    if not others:
        return batch
    for path, other in others:
        _check_alike(first, batch, path, other)
    for place, (path, other) in enumerate(entries):
        for earlier, earlier_batch in entries[:place]:
            _check_names(earlier, earlier_batch, path, other)
            _check_sites(earlier, earlier_batch, path, other)
    campaign = _campaign([part.campaign for part in batches.values()])
    loads = [load for part in batches.values() for load in part.loads]
    networks = list(campaign.networks)
    loads.sort(key=lambda load: (load.site, networks.index(load.network), load.stack, load.cache, load.run))
    digests = [part.digest for part in batches.values() if part.digest is not None]
    return Batch(
        campaign=campaign,
        digest=", ".join(digests) if len(digests) == len(batches) else None,
        takes_digest=sha256_of_json(sorted(load.digest for load in loads)),
        loads=loads,
        attempts=_attempts([part.attempts for part in batches.values()]),
        findings=_findings([part.findings for part in batches.values()]),
        networks=_definitions([part.networks for part in batches.values()]),
        stacks=_definitions([part.stacks for part in batches.values()]),
        checks=_checks([part.checks for part in batches.values()]),
        remarks=[*dict.fromkeys(words for part in batches.values() for words in part.remarks), *_spread(batches)],
        campaigns=tuple(campaign for part in batches.values() for campaign in part.campaigns),
        sentinels=[load for part in batches.values() for load in part.sentinels],
    )


def _check_alike(first: Path, batch: Batch, path: Path, other: Batch) -> None:
    for tool in BUILD:
        ours, theirs = (sorted({load.tools.get(tool) or "unknown" for load in side.loads}) for side in (batch, other))
        if ours != theirs:
            raise BadInputError(
                f"{path} was captured with {tool} {listed(theirs)}, but {first} with {listed(ours)}; batches of two "
                "builds or browsers cannot be compared together."
            )
    here, there = (listed([device.words for device in side.campaign.devices]) for side in (batch, other))
    if here != there:
        raise BadInputError(
            f"{path} was captured on {there}, but {first} on {here}; takes of two device profiles are not compared "
            "together. Compare the batches separately, or give --device."
        )
    for name in SAME:
        if getattr(batch.campaign, name) != getattr(other.campaign, name):
            raise BadInputError(
                f"{path}: campaign.toml has {name} {getattr(other.campaign, name)}, but that of {first} has "
                f"{getattr(batch.campaign, name)}; batches compared together must have the same."
            )


def _check_names(first: Path, batch: Batch, path: Path, other: Batch) -> None:
    """Check that each name means the same in both, and that no run is in both."""
    meanings: list[tuple[str, Callable[[Batch], Mapping[str, object]]]] = [
        ("stack", lambda side: _digests(side.stacks)),
        ("network", lambda side: _digests(side.networks)),
        ("site", lambda side: {load.site: load.recording for load in side.loads}),
        ("limit of the network", lambda side: side.campaign.limits_ms),
    ]
    for noun, meaning in meanings:
        ours, theirs = meaning(batch), meaning(other)
        for name in sorted(ours.keys() & theirs.keys()):
            if ours[name] != theirs[name]:
                raise BadInputError(
                    f"The {noun} {name} is not the same in {path} and {first}; compare these batches separately."
                )
    both = {load.path for load in batch.loads} & {load.path for load in other.loads}
    if both:
        raise BadInputError(f"{first} and {path} both have {min(both)}; a run can count only once.")


def _check_sites(first: Path, batch: Batch, path: Path, other: Batch) -> None:
    """Check that the takes of a site show the same page, and are measured by the same mask."""
    for field, words in OF_SITE.items():
        ours, theirs = _by_site(batch, field), _by_site(other, field)
        for site in sorted(ours.keys() & theirs.keys()):
            if ours[site] != theirs[site]:
                raise BadInputError(
                    f"{path}: takes of {site} have the {words} {listed(theirs[site])} ({field}), but those of {first} "
                    f"have {listed(ours[site])}; batches compared together must have the same."
                )


def _by_site(batch: Batch, field: str) -> Mapping[str, list[str]]:
    values_of: dict[str, set[str]] = {}
    for load in batch.loads:
        value = getattr(load, field)
        values_of.setdefault(load.site, set()).add("none" if value is None else str(value))
    return {site: sorted(values) for site, values in values_of.items()}


def _digests(definitions: Mapping[str, Definition]) -> Mapping[str, str]:
    return {name: definition.digest for name, definition in definitions.items()}


def _campaign(campaigns: Sequence[Campaign]) -> Campaign:
    """The first campaign, with everything that any of them names."""

    def every(values: Callable[[Campaign], Sequence[Any]]) -> tuple[Any, ...]:
        return tuple(dict.fromkeys(value for campaign in campaigns for value in values(campaign)))

    sites = {site.name: site for campaign in campaigns for site in campaign.sites}
    networks = every(lambda campaign: campaign.networks)
    return replace(
        campaigns[0],
        name=" + ".join(every(lambda campaign: [campaign.name])),
        runs_on={
            name: max(campaign.runs_of(name) for campaign in campaigns if name in campaign.networks)
            for name in networks
        },
        caches=every(lambda campaign: campaign.caches),
        networks=networks,
        stacks=every(lambda campaign: campaign.stacks),
        pairs=every(lambda campaign: campaign.pairs),
        sites=tuple(sites.values()),
        max_machine_share=min(campaign.max_machine_share for campaign in campaigns),
        limits_s={name: campaign.limit_s_of(name) for campaign in campaigns for name in campaign.networks},
        own_networks={name: table for campaign in campaigns for name, table in campaign.own_networks.items()},
    )


def _attempts(batches: Sequence[Sequence[Attempt] | None]) -> Sequence[Attempt] | None:
    """The attempts of all batches; None if one batch has no record of them, as their number is then unknown."""
    known = [attempts for attempts in batches if attempts is not None]
    return [attempt for attempts in known for attempt in attempts] if len(known) == len(batches) else None


def _findings(batches: Sequence[Findings | None]) -> Findings | None:
    """The findings of all batches that have some; takes of the others have none, as before the end of a capture."""
    known = [findings for findings in batches if findings is not None]
    if not known:
        return None
    return Findings(
        takes=frozenset().union(*(findings.takes for findings in known)),
        content_mismatches={
            path: mismatch for findings in known for path, mismatch in findings.content_mismatches.items()
        },
        settings_mismatches=[mismatch for findings in known for mismatch in findings.settings_mismatches],
        network_failed=frozenset().union(*(findings.network_failed for findings in known)),
    )


def _checks(batches: Sequence[Mapping[str, ReplayCheck]]) -> Mapping[str, ReplayCheck]:
    """The replay checks with the loads of all batches, each of which must pass the gates."""
    joined: dict[str, ReplayCheck] = {}
    for checks in batches:
        for site, check in checks.items():
            before = joined.get(site)
            joined[site] = check if before is None else _joined(before, check)
    return joined


def _joined(one: ReplayCheck, other: ReplayCheck) -> ReplayCheck:
    return replace(one, loads=(*one.loads, *other.loads), failure=one.failure or other.failure)


def _definitions(batches: Sequence[Mapping[str, Definition]]) -> Mapping[str, Definition]:
    return dict(
        sorted({name: definition for definitions in batches for name, definition in definitions.items()}.items())
    )


def _spread(batches: Mapping[Path, Batch]) -> list[str]:
    """A remark if takes of a scene are in several batches, as their answers were not compared."""

    def scenes(loads: Sequence[Load]) -> set[tuple[str, str, str]]:
        return {(load.site, load.network, load.cache) for load in loads}

    seen: set[tuple[str, str, str]] = set()
    several: set[tuple[str, str, str]] = set()
    for batch in batches.values():
        of_batch = scenes(batch.loads)
        several |= seen & of_batch
        seen |= of_batch
    if not several:
        return []
    site, network, _ = min(several)
    return [
        f"Takes of {plural(len(several), 'scene')} (such as {site} on {network}) are in several batches. Only takes "
        "within a batch were checked for the same content."
    ]
