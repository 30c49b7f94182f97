"""Notes about floor and ceiling effects, which make differences look smaller than they are."""

from collections.abc import Sequence

from eyelevel_figures.words import Words
from eyelevel_stats.rows.answers import ShareRow
from eyelevel_stats.rows.study import MosRow

LOW, HIGH = 1.0, 7.0
# no interval of a MOS goes beyond the scale
ENDS = (LOW, HIGH)
Place = tuple[str, str, str, str]


def place_of(row: MosRow | ShareRow) -> Place:
    """Returns site, network, stack and context of a condition."""
    return row.site or "", row.network, row.stack, row.context or ""


def at_ends(shares: Sequence[ShareRow]) -> dict[Place, str]:
    """Returns the conditions with over a quarter of their votes at an end of the scale: ceiling, floor or both."""
    return {place_of(row): row.end_effect for row in shares if row.site is not None and row.end_effect != "none"}


def end_notes(rows: Sequence[MosRow], shares: Sequence[ShareRow], words: Words) -> list[str]:
    """Returns sentences about these conditions.

    Before the shares are computed, conditions with a mean within a point of an end count, if they are most of all.
    """
    if not shares:
        high, low = sum(row.mos > HIGH - 1 for row in rows), sum(row.mos < LOW + 1 for row in rows)
        return [words("ends.top")] * (2 * high > len(rows)) + [words("ends.bottom")] * (2 * low > len(rows))
    share_of = at_ends(shares)
    effects = [share_of[place_of(row)] for row in rows if place_of(row) in share_of]
    ceiling = sum(effect in ("ceiling", "both") for effect in effects)
    floor = sum(effect in ("floor", "both") for effect in effects)
    notes = [words("ends.ceiling", n=ceiling, of=len(rows))] if ceiling else []
    return notes + ([words("ends.floor", n=floor, of=len(rows))] if floor else [])
