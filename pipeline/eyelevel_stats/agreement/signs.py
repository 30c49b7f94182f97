"""Side-by-side clips: whether the sign of a metric's difference agrees with the majority of the choices."""

from collections.abc import Collection, Iterable, Mapping
from math import isfinite
from typing import Literal, NamedTuple

from eyelevel_stats.agreement.shares import ends
from eyelevel_stats.correlation import tied
from eyelevel_stats.intervals import wilson
from eyelevel_stats.rows.metrics import SignRow
from eyelevel_stats.rows.words import ALL


class SideVote(NamedTuple):
    """One answer to a side-by-side clip, with one metric's value of either side; None where unknown."""

    participant: str
    stimulus: str
    network: str
    left: float | None
    right: float | None
    choice: Literal["left", "right", "none"]


def sign_matches(
    votes: Mapping[str, Iterable[SideVote]], *, higher_is_better: Collection[str] = ()
) -> tuple[SignRow, ...]:
    """Computes rows for all networks, then for each if there are several; `votes` has the answers by metric.

    The majority is over participants who decided: answers of no difference do not count, and a participant who answered
    several times counts as the side chosen more often. Smaller values of metrics are better, except of those in
    `higher_is_better`. Raises ValueError for a stimulus with different values or networks, and for values that are not
    finite.
    """
    sides = {metric: _sides(metric, of_metric) for metric, of_metric in votes.items()}
    networks = sorted({side.network for of_metric in sides.values() for side in of_metric})
    return tuple(
        _row(network, metric, of_metric, higher=metric in higher_is_better)
        for network in [ALL, *(networks if len(networks) > 1 else [])]
        for metric, of_metric in sides.items()
    )


class _Side(NamedTuple):
    network: str
    left: float | None
    right: float | None
    # participants who chose left, less those who chose right
    majority: int


def _sides(metric: str, votes: Iterable[SideVote]) -> list[_Side]:
    shown: dict[str, tuple[str, float | None, float | None]] = {}
    balance: dict[str, dict[str, int]] = {}
    for participant, stimulus, network, left, right, choice in votes:
        place = (network, left, right)
        if not all(value is None or isfinite(value) for value in (left, right)):
            raise ValueError(f"A value of {metric} is not a finite number; leave unknown values out.")
        if shown.setdefault(stimulus, place) != place:
            raise ValueError(f"Stimulus {stimulus} has network and {metric} of {shown[stimulus]} and of {place}.")
        people = balance.setdefault(stimulus, {})
        people[participant] = people.get(participant, 0) + {"left": 1, "right": -1, "none": 0}[choice]
    return [
        _Side(*place, sum((count > 0) - (count < 0) for count in balance[stimulus].values()))
        for stimulus, place in sorted(shown.items())
    ]


def _row(network: str, metric: str, sides: Iterable[_Side], *, higher: bool) -> SignRow:
    clips = agreeing = without_majority = without_difference = 0
    for side in sides:
        if network not in (ALL, side.network):
            continue
        if side.majority == 0:
            without_majority += 1
        elif side.left is None or side.right is None or tied(side.left, side.right):
            without_difference += 1
        else:
            clips += 1
            left_is_better = (side.left > side.right) == higher
            agreeing += left_is_better == (side.majority > 0)
    share = agreeing / clips if clips else None
    low, high = ends(None if share is None else wilson(share, clips))
    why = None if clips else "no clip has both a majority and a difference of the metric"
    return SignRow(network, metric, clips, agreeing, share, low, high, without_majority, without_difference, why)
