"""Trial kinds: what a participant is asked about a clip. Each folder here is a kind, found by its being here.

A plain library, below contracts, platform and pipeline: plain values in and out, and all randomness comes in.
"""

from eyelevel_kinds.discovery import found
from eyelevel_kinds.shape import AnswerError, Contradiction, KindColumn, Temper, TrialKind

KINDS: dict[str, TrialKind] = found(__name__, __path__)

__all__ = ["KINDS", "AnswerError", "Contradiction", "KindColumn", "Temper", "TrialKind"]
