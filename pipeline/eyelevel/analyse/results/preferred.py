"""The share of answers that prefer each stack, or stimulus, over all pairs with it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from eyelevel_core.tables import Table, column
from eyelevel_stats.rows.study import ComparisonRow


@dataclass(frozen=True)
class PreferredRow:
    """Answers about all pairs with one stack on one network."""

    network: str = column("network of the stimulus", "Netz des Stimulus")
    stack: str = column("stack of the clip", "Stack des Clips")
    n: int = column(
        "number of answers about pairs with this stack",
        "Antworten zu Paaren mit diesem Stack",
        head="answers",
        head_de="Antworten",
    )
    preferred: int = column("number of answers that prefer this stack", "Antworten für ihn")
    not_preferred: int = column(
        "number of answers that prefer the other stack", "Antworten für den anderen Stack", head="other preferred"
    )
    no_difference: int = column("number of answers that prefer neither stack", "Antworten für keinen von beiden")
    share_preferred: float = column(
        "(preferred + no_difference / 2) / n, as a fraction; depends on which pairs were shown",
        "(preferred + no_difference / 2) / n; hängt davon ab, nach welchen Paaren gefragt wurde",
        shown="share",
    )


PREFERRED = Table(
    "preferred", "How often each stack was preferred", "Wie oft jeder Stack bevorzugt wurde", PreferredRow
)


def preferred_rows(rows: Sequence[ComparisonRow]) -> tuple[PreferredRow, ...]:
    """Counts preferences by network and stack, with the most preferred stack first."""
    won: Counter[tuple[str, str]] = Counter()
    lost: Counter[tuple[str, str]] = Counter()
    tied: Counter[tuple[str, str]] = Counter()
    for row in rows:
        for stack, wins, losses in (
            (row.stack_a, row.prefer_a, row.prefer_b),
            (row.stack_b, row.prefer_b, row.prefer_a),
        ):
            won[row.network, stack] += wins
            lost[row.network, stack] += losses
            tied[row.network, stack] += row.no_difference
    preferences = []
    for key in won:
        n = won[key] + lost[key] + tied[key]
        preferences.append(PreferredRow(*key, n, won[key], lost[key], tied[key], (won[key] + tied[key] / 2) / n))
    return tuple(sorted(preferences, key=lambda row: (row.network, -row.share_preferred, row.stack)))
