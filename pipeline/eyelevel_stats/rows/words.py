"""Words in tables: of several networks, of the level of an interval, and for values in both languages."""

from eyelevel_core.tables import Words

# clips or votes of all networks, taken as one set
ALL = "all"
# an effect over all networks, each site on each network with the same weight; or one fit to all of them
POOLED = "pooled"
DECIMALS = 2
VERDICTS: Words = {
    "different": ("different", "verschieden"),
    "different, but smaller than the margin": (
        "different, but smaller than the margin",
        "verschieden, aber kleiner als die Schwelle",
    ),
    "equivalent": ("equivalent", "äquivalent"),
    "undecided": ("undecided", "nicht entschieden"),
}
SCOPES: Words = {
    "sites like these": ("sites like these", "Websites wie diese"),
    "these very sites": ("these very sites", "genau diese Websites"),
}
YES_OR_NO: Words = {"yes": ("yes", "ja"), "no": ("no", "nein")}


def level_percent(level: float) -> str:
    """Formats the level of an interval, a fraction, as a percentage without its sign: 95, 97.39, 99.998.

    It has up to two decimals, and more where two would round a level below 1 to 100. Sentences, tables and figures
    all print levels by this rule.
    """
    digits = DECIMALS
    while level < 1 and float(f"{100 * level:.{digits}f}") >= 100:
        digits += 1
    return f"{100 * level:.{digits}f}".rstrip("0").rstrip(".")


def level_decimals(level: float) -> int:
    """Returns the number of decimals of the percentage."""
    return len(level_percent(level).partition(".")[2])
