"""A level is never printed as 100 %."""

import pytest

from eyelevel_stats.rows.words import level_decimals, level_percent


@pytest.mark.parametrize(
    ("level", "text", "decimals"),
    [
        (0.95, "95", 0),
        (0.9, "90", 0),
        (1 - 0.0261, "97.39", 2),
        (0.9994, "99.94", 2),
        # two decimals would round these to 100
        (0.99998, "99.998", 3),
        (1 - 3.4e-7, "99.99997", 5),
        (1 - 2**-53, "99.99999999999999", 14),
    ],
)
def test_a_level_below_1_has_as_many_digits_as_keep_it_below_100(level: float, text: str, decimals: int) -> None:
    assert (level_percent(level), level_decimals(level)) == (text, decimals)
