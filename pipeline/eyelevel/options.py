"""Types of options that click lacks."""

import math
from typing import Any

import click


class NumberRange(click.FloatRange):
    """A number within bounds; rejects NaN, which click's own type accepts."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{value!r} is not a number.", param, ctx)
        return number
