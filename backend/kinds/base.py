"""The one shape of every trial kind. Plain values in and out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Text = dict[str, str]
Block = Mapping[str, Any]


class AnswerError(ValueError):
    """An answer is none of the kind's; `field` names the culprit inside `data`."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


@dataclass(frozen=True)
class TrialKind:
    """A kind of trial.

    A change of words, scale or meaning is a new `version`; votes carry it. `chooses` says whether a study's block
    wants a clip with these stacks (left, then right for a pair). `params` is what the participant's page needs.
    `validate` returns the answer as it is stored, or raises AnswerError.
    """

    name: str
    version: int
    clip_kind: Literal["single", "pair"]
    # may a participant whose window is too narrow leave it out
    skippable: bool
    chooses: Callable[[Block, Sequence[str]], bool]
    params: Callable[[Block], dict[str, Any]]
    validate: Callable[[Mapping[str, Any]], dict[str, Any]]


def whole_number(data: Mapping[str, Any], field: str, low: int, high: int) -> int:
    value = data.get(field)
    # True is an int to Python, but no score
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise AnswerError(field, f"{field} is {value!r}, but must be a whole number from {low} to {high}.")
    return value


def only(data: Mapping[str, Any], fields: Sequence[str]) -> None:
    unknown = sorted(set(data) - set(fields))
    if unknown:
        raise AnswerError(unknown[0], f"{unknown[0]} is no field of this answer; send {', '.join(fields)}.")
