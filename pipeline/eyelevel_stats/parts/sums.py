"""Mergeable sums of participants' means and of choices."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from eyelevel_core.model.metrics import MetricValues
from eyelevel_stats.intervals import student_half_widths
from eyelevel_stats.opinion import EVERYWHERE, Opinion

# the group of a sum, such as (site, network, stack, context)
Key = tuple[str, ...]


@dataclass(frozen=True)
class Moments:
    """Numbers of participants and votes, the mean of participants' means, and the sum of squared deviations from it."""

    n: int
    votes: int
    mean: float
    squares: float

    def __add__(self, other: "Moments") -> "Moments":
        """Merges two groups without common participants.

        T. F. Chan, G. H. Golub, R. J. LeVeque, Algorithms for computing the sample variance, The American Statistician
        37 (1983).
        """
        n, apart = self.n + other.n, other.mean - self.mean
        return Moments(
            n=n,
            votes=self.votes + other.votes,
            mean=self.mean + apart * other.n / n,
            squares=self.squares + other.squares + apart**2 * self.n * other.n / n,
        )

    def opinion(self, scale: tuple[float, float] | None = None) -> Opinion:
        """Returns MOS and Student's interval, clipped to the scale, like `eyelevel_stats.opinion`."""
        low, high = map(float, EVERYWHERE if scale is None else scale)
        if self.n < 2:
            return Opinion(self.n, self.votes, self.mean, None, None, None)
        sd = (self.squares / (self.n - 1)) ** 0.5
        (half,) = student_half_widths(np.array([sd]), np.array([self.n]))
        half_width = float(half)
        ends = max(self.mean - half_width, low), min(self.mean + half_width, high)
        return Opinion(self.n, self.votes, self.mean, sd, *ends)


@dataclass(frozen=True)
class Choices:
    """Counts of answers with three choices, and of participants."""

    first: int
    second: int
    none: int
    participants: int

    def __add__(self, other: "Choices") -> "Choices":
        return Choices(
            self.first + other.first,
            self.second + other.second,
            self.none + other.none,
            self.participants + other.participants,
        )

    @property
    def n(self) -> int:
        return self.first + self.second + self.none


@dataclass(frozen=True)
class Asked:
    """Votes and participants of a layout, with moments if the answers are numbers."""

    votes: int
    participants: int
    moments: Moments | None

    def __add__(self, other: "Asked") -> "Asked":
        known = [moments for moments in (self.moments, other.moments) if moments is not None]
        return Asked(
            self.votes + other.votes,
            self.participants + other.participants,
            known[0] + known[1] if len(known) == 2 else (known[0] if known else None),
        )


@dataclass(frozen=True)
class Repeated:
    """Repeated questions: their number, participants, equal answers, and the sum of absolute differences."""

    n: int
    participants: int
    equal: int
    differences: int
    difference: float

    def __add__(self, other: "Repeated") -> "Repeated":
        return Repeated(
            self.n + other.n,
            self.participants + other.participants,
            self.equal + other.equal,
            self.differences + other.differences,
            self.difference + other.difference,
        )


@dataclass(frozen=True)
class Sums:
    """All sums of a part, or of several.

    Keys: `mos` site, network, stack, context; `points` site, network, stack, clip; `comparisons` site, network, the two
    stacks in alphabetical order, context; `identical` network, stack, and () for all together; `values` kind, site,
    network, stack, context; `layouts` kind, layout; `repeats` kind. `scores` counts ratings by score. `versions` are
    the versions of each kind of trial. Raise ValueError by `+` where a clip has two sets of metrics, or a kind two
    versions.
    """

    votes: int
    sessions: int
    mos: Mapping[Key, Moments] = field(default_factory=dict)
    points: Mapping[Key, Moments] = field(default_factory=dict)
    metrics: Mapping[str, MetricValues] = field(default_factory=dict)
    comparisons: Mapping[Key, Choices] = field(default_factory=dict)
    identical: Mapping[Key, Choices] = field(default_factory=dict)
    values: Mapping[Key, Moments] = field(default_factory=dict)
    layouts: Mapping[Key, Asked] = field(default_factory=dict)
    repeats: Mapping[Key, Repeated] = field(default_factory=dict)
    scores: Mapping[int, int] = field(default_factory=dict)
    versions: Mapping[str, int] = field(default_factory=dict)

    def __add__(self, other: "Sums") -> "Sums":
        return Sums(
            votes=self.votes + other.votes,
            sessions=self.sessions + other.sessions,
            mos=_added(self.mos, other.mos),
            points=_added(self.points, other.points),
            metrics=_same(self.metrics, other.metrics, "The clip {name} has different metrics in different votes"),
            comparisons=_added(self.comparisons, other.comparisons),
            identical=_added(self.identical, other.identical),
            values=_added(self.values, other.values),
            layouts=_added(self.layouts, other.layouts),
            repeats=_added(self.repeats, other.repeats),
            scores=_added(self.scores, other.scores),
            versions=_same(self.versions, other.versions, "Votes of {name} are of several versions of the kind"),
        )


K = TypeVar("K")
V = TypeVar("V", Moments, Choices, Asked, Repeated, int)
W = TypeVar("W")


def _added(one: Mapping[K, V], other: Mapping[K, V]) -> dict[K, V]:
    sums = dict(one)
    for key, value in other.items():
        sums[key] = sums[key] + value if key in sums else value
    return sums


def _same(one: Mapping[str, W], other: Mapping[str, W], words: str) -> dict[str, W]:
    for name in one.keys() & other.keys():
        if one[name] != other[name]:
            raise ValueError(f"{words.format(name=name)}: {one[name]} and {other[name]}.")
    return {**one, **other}
