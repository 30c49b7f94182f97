"""The figures of a run as a table."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from bench.load.measured import Run

SHARES = {"p50": 0.5, "p95": 0.95, "p99": 0.99, "p99.9": 0.999}


def quantile(values: Sequence[float], share: float) -> float:
    """The smallest value that so large a share does not exceed; NaN of nothing."""
    if not values:
        return float("nan")
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, max(0, -int(-share * len(ordered) // 1) - 1))]


def table(run: Run) -> str:
    lines = [
        f"{'ms':14}{'requests':>10}" + "".join(f"{name:>9}" for name in SHARES) + f"{'max':>9}   generator p50, p99"
    ]
    for name, values in sorted(run.server_s.items(), key=lambda item: -len(item[1])):
        lines.append(_row(name, values, run.generator_s.get(name, [])))
    lines.append(_row("all", run.all_s, [value for found in run.generator_s.values() for value in found]))
    lines.append(
        "processor seconds: " + _listed(run.processor_s, ".1f") + f"; generator {run.generator_processor_s:.1f}"
    )
    lines.append("memory, MiB: " + _listed(run.memory_mib, ".0f"))
    lines.append(
        f"in {run.seconds:.0f} s: {run.requests / run.core_seconds:.1f} requests and "
        f"{len(run.saved) / run.core_seconds:.1f} saved answers per core-second of all services"
    )
    return "\n".join(lines)


def merged(runs: Sequence[Run]) -> Run:
    """Several runs as one: times, answers and costs of all; of memory, that at the end."""

    def joined(values: Sequence[Any]) -> Any:
        if isinstance(values[0], list):
            return [item for value in values for item in value]
        if isinstance(values[0], dict):
            keys = dict.fromkeys(key for value in values for key in value)
            return {key: joined([value[key] for value in values if key in value]) for key in keys}
        return sum(values)

    together = {field.name: joined([getattr(run, field.name) for run in runs]) for field in fields(Run)}
    return Run(**together | {"memory_mib": runs[-1].memory_mib})


def _row(name: str, values: Sequence[float], generator: Sequence[float]) -> str:
    shown = [quantile(values, share) for share in SHARES.values()] + [max(values, default=float("nan"))]
    beside = f"{1000 * quantile(generator, 0.5):9.0f} {1000 * quantile(generator, 0.99):6.0f}"
    return f"{name:14}{len(values):10}" + "".join(f"{1000 * value:9.1f}" for value in shown) + f"   {beside}"


def _listed(values: Mapping[str, float], form: str) -> str:
    return ", ".join(f"{name} {value:{form}}" for name, value in values.items())
