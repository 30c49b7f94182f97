"""Selects the takes for a paper's report by the rules of a plain comparison, and lists the excluded ones."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from eyelevel.compare.model import Batch, Load
from eyelevel.errors import BadInputError
from eyelevel.report.words import listed, plural
from eyelevel_core.comparability.exclusion import content_unknown, failed_requests, select
from eyelevel_core.comparability.parity import beyond_parity


@dataclass(frozen=True)
class Counted:
    """The takes that count, by cache state, and sentences about those that do not."""

    loads: Sequence[Load]
    remarks: Sequence[str]


def counted(batch: Batch, caches: Sequence[str]) -> Counted:
    """Selects takes of these cache modes, without sites, scenes and takes that comparability excludes.

    Rules: docs/explanation/fidelity.md. Raise BadInputError where no take is left.
    """
    loads: list[Load] = []
    remarks: list[str] = [*batch.remarks]
    for cache in caches:
        visits = [load for load in batch.loads if load.cache == cache]
        if not visits:
            continue
        chosen = select(visits, batch.findings, cache=cache, checks=batch.checks)
        loads += chosen.kept
        remarks += [
            f"Excluded for all stacks, {cache} cache: the site {row.site} ({row.reason})."
            for row in chosen.sites
            if not row.kept
        ]
        unlike = dict.fromkeys(f"{row.site} on {row.network}" for row in chosen.settings_mismatches)
        if unlike:
            remarks.append(
                f"Excluded for all stacks, {cache} cache, as stacks differ in more than their definitions: "
                f"{listed(list(unlike))}."
            )
        if chosen.mismatched:
            takes = plural(len(chosen.mismatched), "take")
            remarks.append(f"Excluded for a content mismatch, {cache} cache: {takes}.")
    uncounted = sorted({load.cache for load in batch.loads} - set(caches))
    if uncounted:
        remarks.append(f"Visits with another cache state are not counted here: {listed(uncounted)}.")
    if not loads:
        reasons = " ".join(remarks[len(batch.remarks) :])
        raise BadInputError(
            f"No take counts here: none of {len(batch.loads)} is a visit with the cache state {' or '.join(caches)} of "
            f"a site that is compared. {reasons}".strip()
        )
    said = [
        _beyond_parity(batch, dict.fromkeys(load.network for load in loads)),
        content_unknown(loads, batch.findings),
        failed_requests(loads, batch.findings),
    ]
    return Counted(loads, [*remarks, *(words for words in said if words)])


def _beyond_parity(batch: Batch, networks: Iterable[str]) -> str | None:
    """Returns a sentence about all networks on which server parity is unknown; None without such a network."""
    said = {name: beyond_parity(name, batch.networks[name].definition) for name in networks}
    outside = [name for name, words in said.items() if words]
    if not outside:
        return None
    rest = f" The same holds for {listed(outside[1:])}." if outside[1:] else ""
    return f"{said[outside[0]]}{rest}"
