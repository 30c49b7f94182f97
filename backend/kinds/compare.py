"""`compare`: two loads side by side; which was faster, and how sure is the participant."""

from collections.abc import Mapping, Sequence
from typing import Any

from kinds.base import AnswerError, Block, Text, TrialKind, only, whole_number

QUESTION: Text = {
    "en": "Which website loaded faster for you?",
    "de": "Welche Website hat für Sie schneller geladen?",
}
CHOICES = ("left", "right", "none")
# from 1 to 5; the intensities of Rohrmann's verbal scale
SURENESS_LABELS: list[Text] = [
    {"en": "not sure at all", "de": "überhaupt nicht sicher"},
    {"en": "slightly sure", "de": "wenig sicher"},
    {"en": "moderately sure", "de": "mittelmäßig sicher"},
    {"en": "quite sure", "de": "ziemlich sicher"},
    {"en": "very sure", "de": "sehr sicher"},
]
MIN_WIDTH_PX = 1024


def _chooses(block: Block, stacks: Sequence[str]) -> bool:
    # both orders of a pair are shown, each to other participants
    return "pairs" not in block or set(stacks) in [set(pair) for pair in block["pairs"]]


def _params(block: Block) -> dict[str, Any]:
    return {
        "question": QUESTION,
        "min_width_px": block.get("min_width_px", MIN_WIDTH_PX),
        "sureness_labels": SURENESS_LABELS,
    }


def _validate(data: Mapping[str, Any]) -> dict[str, Any]:
    only(data, ["choice", "sureness"])
    choice = data.get("choice")
    if choice not in CHOICES:
        raise AnswerError("choice", f"choice is {choice!r}, but must be one of {', '.join(CHOICES)}.")
    return {"choice": choice, "sureness": whole_number(data, "sureness", 1, len(SURENESS_LABELS))}


COMPARE = TrialKind(
    name="compare", version=1, clip_kind="pair", skippable=True, chooses=_chooses, params=_params, validate=_validate
)
