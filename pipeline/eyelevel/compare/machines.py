"""Compares the machines of a campaign: their share of the variance, and which ones are excluded. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, log
from typing import ClassVar

from eyelevel.compare.columns import METRIC
from eyelevel.compare.model import Load
from eyelevel_core.tables import Table, column, derived, part
from eyelevel_stats.arms.machines import MachineShare, Seen, left_out, machine_share

# metrics of the exclusion rule
METRICS = ("si", "plt")


@dataclass(frozen=True)
class ShareRow:
    """The share of all machines, or of those that remain after exclusion."""

    metric: str = column(METRIC, shown="metric")
    of: str = column("all: all machines; kept: only machines that are not excluded")
    estimate: MachineShare = part()
    machines: ClassVar[int] = derived("estimate.machines", "number of machines")
    takes: ClassVar[int] = derived("estimate.takes", "number of settled takes, including takes of the sentinel")
    share: ClassVar[float] = derived(
        "estimate.share",
        "share of the variance of the metric's logarithm that is due to machines (REML)",
        shown="percent",
    )
    low: ClassVar[float] = derived(
        "estimate.low", "lower end of the exact 95 % interval of share", head="from", shown="percent"
    )
    high: ClassVar[float] = derived(
        "estimate.high", "upper end of the exact 95 % interval of share", head="to", shown="percent"
    )


@dataclass(frozen=True)
class MachineRow:
    """One machine; differences are relative to the median machine under the same conditions."""

    machine: str = column("fingerprint of the machine in its takes")
    processor: str | None = column("processor model of the machine")
    processors: int = column("number of processors available to the capture")
    takes: int = column("number of takes of the machine")
    sentinels: int = column("number of takes of the sentinel by the machine")
    si: float | None = column(
        "relative difference of Speed Index from the median machine under the same conditions; above 0: larger; a "
        "fraction",
        head="SI",
        shown="percent",
    )
    plt: float | None = column(
        "relative difference of PLT from the median machine under the same conditions; above 0: larger; a fraction",
        head="PLT",
        shown="percent",
    )
    kept: str = column("yes, or no: excluded from every comparison by max_machine_share of the campaign")


SHARES = Table("machine-shares", "Share of the variance that is due to machines", "", ShareRow)
MACHINES = Table("machines", "Machines that filmed the campaign", "", MachineRow)


@dataclass(frozen=True)
class Machines:
    """The machines of a campaign; `excluded` are fingerprints, and `shares` is empty if there is one machine."""

    shares: Sequence[ShareRow]
    rows: Sequence[MachineRow]
    excluded: frozenset[str]


def machines(loads: Sequence[Load], sentinels: Sequence[Load], *, most: float) -> Machines:
    """Applies the rule of `eyelevel_stats.arms.machines.left_out`; never excludes takes without a machine."""
    seen = {metric: list(_seen([*loads, *sentinels], metric)) for metric in METRICS}
    excluded = frozenset(left_out(seen, most=most))
    before = {metric: machine_share(seen[metric]) for metric in METRICS}
    after = {
        metric: machine_share([take for take in seen[metric] if take.machine not in excluded]) for metric in METRICS
    }
    shares = [*_rows("all", before), *(_rows("kept", after) if excluded else ())]
    return Machines(shares, _machine_rows(loads, sentinels, before, excluded), excluded)


def without(loads: Iterable[Load], excluded: frozenset[str]) -> list[Load]:
    """Returns the loads of the remaining machines."""
    return [load for load in loads if load.machine is None or load.machine.fingerprint not in excluded]


def remark(machines: Machines, *, most: float) -> str | None:
    """Returns the sentence about excluded machines for the head of the report."""
    if not machines.excluded:
        return None
    worst = max((row for row in machines.shares if row.of == "all"), key=lambda row: row.low)
    return (
        f"Takes of {len(machines.excluded)} of {len(machines.rows)} machines are excluded "
        f"({', '.join(sorted(machines.excluded))}): machines caused {worst.share:.0%} ({worst.low:.0%} to "
        f"{worst.high:.0%}) of the variance of {worst.metric.upper()}, and the campaign's max_machine_share is "
        f"{most:.0%}."
    )


def _seen(loads: Iterable[Load], metric: str) -> Iterable[Seen]:
    for load in loads:
        value = load.metrics.get(metric)
        if load.machine is not None and load.settled and value:
            condition = (load.site, load.network, load.stack, load.cache)
            yield Seen(log(value), condition, load.machine.fingerprint)


def _rows(of: str, shares: Mapping[str, MachineShare | None]) -> list[ShareRow]:
    return [ShareRow(metric, of, share) for metric, share in shares.items() if share is not None]


def _machine_rows(
    loads: Sequence[Load],
    sentinels: Sequence[Load],
    shares: Mapping[str, MachineShare | None],
    excluded: frozenset[str],
) -> list[MachineRow]:
    known = {load.machine.fingerprint: load.machine for load in [*loads, *sentinels] if load.machine is not None}
    return [
        MachineRow(
            name,
            machine.processor,
            machine.processors,
            takes=_count(loads, name),
            sentinels=_count(sentinels, name),
            si=_difference(shares["si"], name),
            plt=_difference(shares["plt"], name),
            kept="no" if name in excluded else "yes",
        )
        for name, machine in sorted(known.items())
    ]


def _count(loads: Iterable[Load], name: str) -> int:
    return sum(load.machine is not None and load.machine.fingerprint == name for load in loads)


def _difference(share: MachineShare | None, name: str) -> float | None:
    """Returns the difference as a fraction; effects are differences of logarithms."""
    effect = None if share is None else share.effects.get(name)
    return None if effect is None else exp(effect) - 1
