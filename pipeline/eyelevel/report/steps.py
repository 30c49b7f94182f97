"""SVG path of an empirical distribution function."""

from collections.abc import Sequence

from eyelevel_figures.canvas import Scale
from eyelevel_figures.elements import number
from eyelevel_stats.arms import empirical_distribution


def step_path(values: Sequence[float], scale: Scale, share: Scale) -> str:
    """Returns the `d` attribute of the path over the whole scale; `share` is the scale from 0 to 1."""
    path = f"M {number(scale(scale.low))} {number(share(0))}"
    for value, reached in empirical_distribution(values):
        path += f" H {number(scale(value))} V {number(share(reached))}"
    return f"{path} H {number(scale(scale.high))}"
