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
    """An answer is not valid for the kind; `field` names the faulty field of `data`."""

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
    """Properties of a simulated person: bias in points of the seven-point scale, and noise of the answers."""

    @property
    def bias(self) -> float: ...

    @property
    def noise_sd(self) -> float: ...


def nothing_more(_block: Block) -> Iterable[Contradiction]:
    return ()


@dataclass(frozen=True)
class TrialKind:
    """A kind of trial.

    A change of words, scale or meaning needs a new `version`, which is stored with each vote.

    - `block` is a JSON Schema of the fields that only blocks of this kind have: `properties`, and `required` for
      mandatory fields; `contradictions` yields further errors in them.
    - `stacks` yields every stack that a block names, with its place.
    - `chooses` returns whether a block uses a clip with these stacks (left, then right for a pair).
    - `params` returns the data for the participant's page; the block is resolved (defaults applied).
    - `validate` returns the answer to store, or raises AnswerError.
    - `columns` are the columns of an export that the answer fills; the first one is the answer itself.
    - `scale` has the lowest and the highest answer; None where answers are words.
    - `simulate` returns the answer of a simulated person about films with these Speed Indexes in ms (one, or left and
      right; None where nothing ever showed).
    - `right` returns whether the answer to a control clip is right: its sides were delayed by `delays_ms` (one, or left
      and right), and a single clip should get at most `max_score` on the seven-point scale.
    """

    name: str
    version: int
    clip_kind: Literal["single", "pair"]
    # whether a participant whose window is too narrow may skip it
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
        """Returns the defaults of the fields that only blocks of this kind have."""
        return {name: form["default"] for name, form in self.block["properties"].items() if "default" in form}


def block_schema(folder_file: str) -> Block:
    """Reads `block.schema.json` in the folder of this file."""
    loaded: Block = json.loads(Path(folder_file).with_name("block.schema.json").read_text())
    return loaded


def sizes(block: Block) -> dict[str, float]:
    """Returns the smallest sizes at which a block's films may be shown, for the participant's page."""
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
        raise AnswerError(unknown[0], f"{unknown[0]} is not a field of this answer; send {', '.join(fields)}.")
