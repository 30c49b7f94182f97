"""Straight-lining: the similarity of one participant's answers. It excludes nobody.

Participants who see no difference give equal answers, so equal answers prove nothing. The measure is the maximum
identical rating: Kim, Dykema, Stevenson, Black, Moberg: Straightlining: overview of measurement, comparison of
indicators, and effects in mail-web mixed-mode surveys, Social Science Computer Review 37(2), 2019.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence

# kind of trial, and the answer
Answer = tuple[str, Hashable]

# fewer equal answers are likely by chance: five votes at random on seven points are equal with a chance of 1 in 2,401
LEAST_ANSWERS = 5


def same_answer_share(answers: Iterable[Answer]) -> float | None:
    """Computes the share of answers that equal the most frequent one of their kind of trial; None without answers.

    `answers` are those of the main trials of one session.
    """
    by_kind: dict[str, Counter[Hashable]] = {}
    for kind, answer in answers:
        by_kind.setdefault(kind, Counter())[answer] += 1
    if not by_kind:
        return None
    same = sum(max(counts.values()) for counts in by_kind.values())
    return same / sum(counts.total() for counts in by_kind.values())


def is_straight_lining(answers: Sequence[Answer]) -> bool | None:
    """Whether each kind of trial got one answer throughout; None under LEAST_ANSWERS answers."""
    return None if len(answers) < LEAST_ANSWERS else same_answer_share(answers) == 1
