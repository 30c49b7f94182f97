"""The interface of every trial kind. Plain values in and out."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Literal, NamedTuple, Protocol

Text = dict[str, str]
# the fields of a study's block, which its schema has checked
Block = Mapping[str, Any]
# an answer as it is stored: a value per column of the kind
Answer = dict[str, str | float]
# a field's path inside a block, e.g. ("pairs", 0)
Where = tuple[str | int, ...]


class AnswerError(ValueError):
    """An answer is none of the kind's; `field` names the culprit inside `data`."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


class Contradiction(NamedTuple):
    """An error in a block that a schema cannot express: the field's path in the block, and the rest of a sentence."""

    where: Where
    says: str


class KindColumn(NamedTuple):
    """A column that an export has for a kind's answers; the name is also the field of `data` that fills it."""

    name: str
    type: Literal["string", "integer", "number"]
    description: str


class Temper(Protocol):
    """What a kind asks of a simulated person: bias in points of the seven-point scale, and how noisy they answer."""

    @property
    def bias(self) -> float: ...

    @property
    def noise_sd(self) -> float: ...


def nothing_more(_block: Block) -> Iterable[Contradiction]:
    return ()


@dataclass(frozen=True)
class TrialKind:
    """A kind of trial.

    A change of words, scale or meaning is a new `version`; votes carry it.

    - `block` is a JSON Schema of the fields that a study's block has for this kind alone: `properties`, and
      `required` where a study must say it; `contradictions` is what else can be wrong in them.
    - `stacks` gives every stack that a block names, with the place where it does.
    - `chooses` says whether a block wants a clip with these stacks (left, then right for a pair).
    - `params` is what the participant's page needs; the block has its defaults written out.
    - `validate` returns the answer as it is stored, or raises AnswerError.
    - `columns` are those of an export that the answer fills; the first one is the answer itself.
    - `scale` has the least and the greatest answer; None where answers are words.
    - `simulate` is what a simulated person answers who saw films with these Speed Indexes in ms (one, or left and
      right; None where nothing ever showed).
    - `right` says whether the answer to a control clip is right: its sides were held back by `delays_ms` (one, or left
      and right), and a single one deserves at most `max_score` on the seven-point scale.
    """

    name: str
    version: int
    clip_kind: Literal["single", "pair"]
    # may a participant whose window is too narrow leave it out
    skippable: bool
    block: Block
    chooses: Callable[[Block, Sequence[str]], bool]
    stacks: Callable[[Block], Iterable[tuple[Where, str]]]
    params: Callable[[Block], dict[str, object]]
    validate: Callable[[Mapping[str, object]], Answer]
    columns: tuple[KindColumn, ...]
    scale: tuple[float, float] | None
    simulate: Callable[[Sequence[float | None], Temper, Random], Answer]
    right: Callable[[Mapping[str, str | float], Sequence[float], float], bool]
    contradictions: Callable[[Block], Iterable[Contradiction]] = field(default=nothing_more)

    def defaults(self) -> Block:
        """What a block has in the kind's own fields where its author says nothing."""
        return {name: own["default"] for name, own in self.block["properties"].items() if "default" in own}


def block_schema(folder_file: str) -> Block:
    """`block.schema.json` beside this file of a kind's folder."""
    loaded: Block = json.loads(Path(folder_file).with_name("block.schema.json").read_text())
    return loaded


def sizes(block: Block) -> dict[str, float]:
    """The smallest sizes at which a block's films may be shown, for the participant's page."""
    return {name: block[name] for name in ("min_scale", "min_device_scale")}


def number_between(data: Mapping[str, object], field: str, low: float, high: float) -> float:
    value = data.get(field)
    # True is an int to Python, but no score; NaN is not between anything
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise AnswerError(field, f"{field} is {value!r}, but must be a number from {low} to {high}.")
    return value


def whole_number(data: Mapping[str, object], field: str, low: int, high: int) -> int:
    value = data.get(field)
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise AnswerError(field, f"{field} is {value!r}, but must be a whole number from {low} to {high}.")
    return value


def only(data: Mapping[str, object], fields: Sequence[str]) -> None:
    unknown = sorted(set(data) - set(fields))
    if unknown:
        raise AnswerError(unknown[0], f"{unknown[0]} is no field of this answer; send {', '.join(fields)}.")
