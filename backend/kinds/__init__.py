"""Trial kinds: what a participant is asked about a clip. A new kind is one file here and its name in KINDS."""

from kinds.base import AnswerError, TrialKind
from kinds.compare import COMPARE
from kinds.rate import RATE

KINDS: dict[str, TrialKind] = {kind.name: kind for kind in (RATE, COMPARE)}

__all__ = ["KINDS", "AnswerError", "TrialKind"]
