"""Sensitivity columns: signs of little attention that exclude nobody, for analyses that check what they change.

Who sees no difference answers alike, so equal answers are no proof of anything.
"""

from collections import Counter
from collections.abc import Hashable, Iterable


def same_answer_share(answers: Iterable[tuple[str, Hashable]]) -> float | None:
    """Share of the answers that equal the most frequent answer to their kind of trial, 0 to 1; None without answers.

    `answers`: `(kind, answer)` of the main trials of one session. With one kind this is the maximum identical rating,
    a measure of straight-lining: Kim, Dykema, Stevenson, Black, Moberg: Straightlining: overview of measurement,
    comparison of indicators, and effects in mail-web mixed-mode surveys, Social Science Computer Review 37(2), 2019.
    """
    by_kind: dict[str, Counter[Hashable]] = {}
    for kind, answer in answers:
        by_kind.setdefault(kind, Counter())[answer] += 1
    if not by_kind:
        return None
    same = sum(max(counts.values()) for counts in by_kind.values())
    return same / sum(counts.total() for counts in by_kind.values())
