"""The level of an interval as text: the only rule by which sentences, tables and figures print it."""

DECIMALS = 2


def level_percent(level: float) -> str:
    """The level of an interval, a fraction, as a percentage without its sign: 95, 97.39, 99.998.

    It has up to two decimals, and more where two would round a level below 1 to 100.
    """
    digits = DECIMALS
    while level < 1 and float(f"{100 * level:.{digits}f}") >= 100:
        digits += 1
    return f"{100 * level:.{digits}f}".rstrip("0").rstrip(".")


def level_decimals(level: float) -> int:
    """How many decimals the percentage has."""
    return len(level_percent(level).partition(".")[2])
