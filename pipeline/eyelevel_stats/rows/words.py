"""Words in tables: of several networks, and of the level of an interval."""

# clips or votes of all networks, taken as one set
ALL = "all"
# an effect over all networks, each site on each network with the same weight; or one fit to all of them
POOLED = "pooled"
DECIMALS = 2


def level_percent(level: float) -> str:
    """The level of an interval, a fraction, as a percentage without its sign: 95, 97.39, 99.998.

    It has up to two decimals, and more where two would round a level below 1 to 100. Sentences, tables and figures
    print levels by this rule alone.
    """
    digits = DECIMALS
    while level < 1 and float(f"{100 * level:.{digits}f}") >= 100:
        digits += 1
    return f"{100 * level:.{digits}f}".rstrip("0").rstrip(".")


def level_decimals(level: float) -> int:
    """How many decimals the percentage has."""
    return len(level_percent(level).partition(".")[2])
