"""The machines' share of a metric's variance: a mixed model with fixed conditions and random machines.

y = condition + machine + error, machine ~ N(0, s2_m), error ~ N(0, s2_e). The share is s2_m / (s2_m + s2_e). Its
interval is exact for this model, however unequally machines and conditions are filled: Wald (1940), Annals of
Mathematical Statistics 11, 96-100; in this form Harville and Fenech (1985), Biometrics 41, 137-152. The estimate is by
restricted maximum likelihood (REML).
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, stats

# eigenvalues below are zero: a machine that shares no condition with others carries no information
ROUNDING = 1e-9
# above, the share is practically 1
MOST = 1e9

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Seen:
    """One take: its value, such as log SI, its condition (site, network and stack) and its machine."""

    value: float
    condition: Hashable
    machine: str


@dataclass(frozen=True)
class MachineShare:
    """`share` and its interval are between 0 and 1; `effects` are machines' differences from their median, by name."""

    machines: int
    takes: int
    share: float
    low: float
    high: float
    effects: dict[str, float]


def machine_share(seen: Sequence[Seen], *, level: float = 0.95) -> MachineShare | None:
    """Returns None if no two machines filmed the same condition, or no degree of freedom is left for the error.

    Works on sums per condition and machine, so its time does not grow with the number of takes per cell.
    """
    machines = sorted({take.machine for take in seen})
    conditions = list(dict.fromkeys(take.condition for take in seen))
    fitted = _independent(_Cells.of(seen, conditions, machines))
    if fitted is None:
        return None
    t2, delta, sse, freedom, effects = fitted
    rank = len(t2)

    def ratio(of: float) -> float:
        """Distributed as F(rank, freedom) if s2_m / s2_e equals `of`; decreases with `of`."""
        return float(np.sum(t2 / (1 + of * delta)) / rank / (sse / freedom))

    tail = (1 - level) / 2
    low = _where(ratio, float(stats.f.ppf(1 - tail, rank, freedom)))
    high = _where(ratio, float(stats.f.ppf(tail, rank, freedom)))
    ratio_reml = _reml(t2, delta, sse, freedom)
    centre = float(np.median(effects))
    return MachineShare(
        machines=len(machines),
        takes=len(seen),
        share=_share(ratio_reml),
        low=_share(low),
        high=_share(high),
        effects={name: float(effect) - centre for name, effect in zip(machines, effects, strict=True)},
    )


def left_out(seen: Mapping[str, Sequence[Seen]], *, most: float) -> list[str]:
    """Returns the machines to exclude, in order, from the takes of each metric.

    While the interval of the share is completely above `most` for some metric, excludes the machine farthest from the
    median, by the metric whose interval has the highest lower end. Ties exclude the machine with fewer takes. One
    machine always remains.
    """
    excluded: list[str] = []
    while True:
        remaining = {metric: [take for take in takes if take.machine not in excluded] for metric, takes in seen.items()}
        shares = {metric: machine_share(takes) for metric, takes in remaining.items()}
        metric, highest = max(shares.items(), key=lambda share: -1.0 if share[1] is None else share[1].low)
        if highest is None or highest.low <= most:
            return excluded
        counts = {name: sum(take.machine == name for take in remaining[metric]) for name in highest.effects}
        far = max(abs(effect) for effect in highest.effects.values())
        farthest = [name for name, effect in highest.effects.items() if abs(effect) >= far * (1 - 1e-6)]
        excluded.append(min(farthest, key=lambda name: (counts[name], name)))


@dataclass(frozen=True)
class _Cells:
    """Takes and sums of values per condition (rows) and machine (columns), and the sum of all squares."""

    counts: Matrix
    sums: Matrix
    squares: float

    @classmethod
    def of(cls, seen: Sequence[Seen], conditions: Sequence[Hashable], machines: Sequence[str]) -> "_Cells":
        row = {name: number for number, name in enumerate(conditions)}
        column = {name: number for number, name in enumerate(machines)}
        counts, sums = np.zeros((len(row), len(column))), np.zeros((len(row), len(column)))
        values = np.array([take.value for take in seen])
        # centred, because the differences are small compared with the values
        values -= values.mean() if len(values) else 0.0
        for take, value in zip(seen, values, strict=True):
            counts[row[take.condition], column[take.machine]] += 1
            sums[row[take.condition], column[take.machine]] += value
        return cls(counts, sums, float(values @ values))


def _independent(cells: _Cells) -> tuple[Matrix, Matrix, float, int, Matrix] | None:
    """Independent parts of the data: t_i^2 ~ (s2_e + s2_m delta_i) chi^2(1), and the error's sum of squares.

    Also the machines' least squares effects, up to a constant.
    """
    if not cells.counts.size:
        return None
    of_condition = cells.counts.sum(axis=1)
    shares = cells.counts / of_condition[:, None]
    # Z'MZ and Z'My, where M takes out the conditions
    between = np.diag(cells.counts.sum(axis=0)) - cells.counts.T @ shares
    toward = cells.sums.sum(axis=0) - shares.T @ cells.sums.sum(axis=1)
    total = cells.squares - float(np.sum(cells.sums.sum(axis=1) ** 2 / of_condition))
    values, vectors = np.linalg.eigh(between)
    determined = values > ROUNDING * max(1.0, float(values[-1]))
    delta, turned = values[determined], vectors[:, determined].T @ toward
    t2 = turned**2 / delta
    freedom = int(cells.counts.sum()) - len(of_condition) - len(delta)
    sse = total - float(t2.sum())
    if len(delta) == 0 or freedom < 1 or sse <= ROUNDING * cells.squares:
        return None
    return t2, delta, sse, freedom, vectors[:, determined] @ (turned / delta)


def _reml(t2: Matrix, delta: Matrix, sse: float, freedom: int) -> float:
    """The ratio s2_m / s2_e at which the restricted likelihood is largest."""

    def minus(log_ratio: float) -> float:
        spread = 1 + np.exp(log_ratio) * delta
        whole = (len(t2) + freedom) * np.log(np.sum(t2 / spread) + sse)
        return float(np.sum(np.log(spread)) + whole)

    minimum = optimize.minimize_scalar(minus, bounds=(np.log(1e-12), np.log(MOST)), method="bounded")
    at_zero = float((len(t2) + freedom) * np.log(np.sum(t2) + sse))
    return float(np.exp(minimum.x)) if minimum.fun < at_zero else 0.0


def _where(falling: Callable[[float], float], value: float) -> float:
    """Returns the ratio at which a decreasing function has this value, clipped to 0 and MOST."""
    if falling(0.0) <= value:
        return 0.0
    if falling(MOST) >= value:
        return MOST
    root = optimize.brentq(lambda log_ratio: falling(float(np.exp(log_ratio))) - value, np.log(1e-12), np.log(MOST))
    return float(np.exp(root))


def _share(ratio: float) -> float:
    return ratio / (1 + ratio)
