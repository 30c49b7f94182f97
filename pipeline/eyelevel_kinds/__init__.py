"""Trial kinds: questions about a clip and their answers. Each folder of this package is a kind.

A plain library that contracts, platform and pipeline use: plain values in and out; callers pass in all randomness.
"""

from eyelevel_kinds.discovery import discover
from eyelevel_kinds.shape import AnswerError, Contradiction, KindColumn, Temper, TrialKind

KINDS: dict[str, TrialKind] = discover(__name__, __path__)

__all__ = ["KINDS", "AnswerError", "Contradiction", "KindColumn", "Temper", "TrialKind"]
