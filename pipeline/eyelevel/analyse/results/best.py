"""The sets of metrics that may agree best with people, as sentences."""

from collections.abc import Sequence

from eyelevel.report.words import listed
from eyelevel_stats.agreement.best import BestSet
from eyelevel_stats.rows.metrics import NO
from eyelevel_stats.rows.words import ALL


def best_sentence(best: BestSet) -> str:
    """Returns a sentence about the set, with its network if there are several."""
    place = "" if best.network == ALL else f" on {best.network}"
    if best.names is None:
        tested = " Pairs of metrics are compared by Meng’s test in metric-differences.csv." if best.differences else ""
        return f"No set of best metrics{place}: {best.why}.{tested}"
    behind = [row.metric for row in best.rows if row.best == NO]
    worse = f"; {listed(behind)} {'agrees' if len(behind) == 1 else 'agree'} less well" if behind else ""
    if len(best.names) == 1:
        return f"{best.names[0]} agrees best with people{place}{worse}."
    return f"The votes do not decide which of {listed(list(best.names))} agrees best with people{place}{worse}."


def best_sentences(sets: Sequence[BestSet]) -> list[str]:
    """Returns a sentence per set; if no network has a set, only the first, with the reason."""
    if all(best_set.names is None for best_set in sets):
        return [best_sentence(best_set) for best_set in sets[:1]]
    return [best_sentence(best_set) for best_set in sets]
