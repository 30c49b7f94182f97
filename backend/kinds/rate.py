"""`rate`: how satisfying was the speed, on a seven-point scale.

Question and labels are those of the study of 2019 (scale of ITU-T P.851); the German labels are that scale's own.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from kinds.base import Block, Text, TrialKind, only, whole_number

QUESTION: Text = {
    "en": "How satisfying was the speed of the loading process to you?",
    "de": "Wie zufriedenstellend war für Sie die Geschwindigkeit des Ladevorgangs?",
}
# from 1 to 7
LABELS: list[Text] = [
    {"en": "extremely bad", "de": "extrem schlecht"},
    {"en": "bad", "de": "schlecht"},
    {"en": "poor", "de": "dürftig"},
    {"en": "fair", "de": "ordentlich"},
    {"en": "good", "de": "gut"},
    {"en": "excellent", "de": "ausgezeichnet"},
    {"en": "ideal", "de": "ideal"},
]


def _chooses(block: Block, stacks: Sequence[str]) -> bool:
    return "stacks" not in block or stacks[0] in block["stacks"]


def _params(_block: Block) -> dict[str, Any]:
    return {"question": QUESTION, "labels": LABELS}


def _validate(data: Mapping[str, Any]) -> dict[str, Any]:
    only(data, ["score"])
    return {"score": whole_number(data, "score", 1, len(LABELS))}


RATE = TrialKind(
    name="rate", version=1, clip_kind="single", skippable=False, chooses=_chooses, params=_params, validate=_validate
)
