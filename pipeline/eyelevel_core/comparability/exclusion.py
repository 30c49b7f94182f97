"""Excludes takes from comparison and clips: by site fidelity, settings mismatch and content mismatch."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from eyelevel_core.comparability.model import Findings, Replayed, SettingsMismatch
from eyelevel_core.comparability.sites import SiteFidelity, judge_sites
from eyelevel_core.model.replay_check import ReplayCheck
from eyelevel_core.model.scene import ContentMismatch

T = TypeVar("T", bound=Replayed)


@dataclass(frozen=True)
class ExcludedTake(Generic[T]):
    """A take that is excluded for a content mismatch: its content differs from that of most takes of its scene."""

    load: T
    mismatch: ContentMismatch


@dataclass(frozen=True)
class Selection(Generic[T]):
    """Takes that are kept and takes that are excluded, in their given order.

    `sites` has the verdict on each site; an excluded site is excluded for all stacks. `settings_mismatches` has one row
    per take that contradicts its scene; such a scene is excluded for all stacks, as either take may be the wrong one.
    `comparable` are the takes of the remaining scenes, `kept` those of them without a content mismatch, `mismatched`
    the others.
    """

    sites: Sequence[SiteFidelity]
    comparable: Sequence[T]
    kept: Sequence[T]
    settings_mismatches: Sequence[SettingsMismatch]
    mismatched: Sequence[ExcludedTake[T]]


def select(
    loads: Sequence[T], findings: Findings | None, *, cache: str, checks: Mapping[str, ReplayCheck]
) -> Selection[T]:
    """Splits takes of one cache mode into kept and excluded. Without `findings`, only the rule for sites applies.

    `checks` are the replay checks by site.
    """
    mismatched = None if findings is None else findings.content_mismatches.keys()
    sites = judge_sites(loads, checks=checks, mismatched=mismatched)
    faithful = {row.site for row in sites if row.kept}
    loads = [load for load in loads if load.site in faithful]
    if findings is None:
        return Selection(sites, loads, loads, [], [])
    scenes = {(load.site, load.network) for load in loads}
    settings = [row for row in findings.settings_mismatches if row.cache == cache and (row.site, row.network) in scenes]
    differing = {(row.site, row.network) for row in settings}
    comparable = [load for load in loads if (load.site, load.network) not in differing]
    excluded = [
        ExcludedTake(load, findings.content_mismatches[load.path])
        for load in comparable
        if load.path in findings.content_mismatches
    ]
    kept = [load for load in comparable if load.path not in findings.content_mismatches]
    return Selection(sites, comparable, kept, settings, excluded)


def content_unknown(loads: Sequence[Replayed], findings: Findings | None) -> str | None:
    """A warning where it is unknown whether takes were served the same content; None where it is known."""
    if findings is None:
        return (
            "The batch has no fidelity.json, so it is unknown whether its takes were served the same content by stacks "
            "that differ only in their definitions. Run capture again: it writes the file."
        )
    missing = [load.path for load in loads if load.path not in findings.takes]
    if not missing:
        return None
    return (
        f"fidelity.json does not cover {len(missing)} of {len(loads)} takes yet (such as {missing[0]}), because "
        "capture has not finished: whether they were served the same content as the others is unknown."
    )


def failed_requests(loads: Sequence[Replayed], findings: Findings | None) -> str | None:
    """A warning about takes that are kept although the network failed some of their requests; None without any."""
    failed = [load for load in loads if findings is not None and load.path in findings.network_failed]
    if not failed:
        return None
    counts = Counter(load.stack for load in failed)
    each = ", ".join(f"{stack} {count}" for stack, count in sorted(counts.items()))
    return (
        f"In some takes ({each}; such as {failed[0].path}) the network failed requests begun before load. That is an "
        "outcome of network and stack, so these takes are kept, although they may show less of the page; fidelity.json "
        "lists the URLs."
    )
