"""`slider`: satisfaction with the speed, from 0 to 100, with the seven labels of `rate` as marks."""

from collections.abc import Mapping, Sequence
from random import Random

from eyelevel_kinds import scale, single
from eyelevel_kinds.shape import Answer, Block, KindColumn, Temper, TrialKind, block_schema, number_between, only, sizes

ENDS = (0, 100)


def _params(block: Block) -> dict[str, object]:
    return {"question": scale.QUESTION, "labels": scale.LABELS, **sizes(block)}


def _validate(data: Mapping[str, object]) -> Answer:
    only(data, ["value"])
    return {"value": number_between(data, "value", *ENDS)}


def _simulate(si_ms: Sequence[float | None], who: Temper, draw: Random) -> Answer:
    return {"value": round((scale.opinion(si_ms[0], who, draw) - 1) / _per_value())}


def _right(data: Mapping[str, str | float], _delays_ms: Sequence[float], max_score: float) -> bool:
    return 1 + float(data["value"]) * _per_value() <= max_score


def _per_value() -> float:
    """The points of the seven-point scale per step of the slider, whose ends are the first and the last label."""
    return (len(scale.LABELS) - 1) / ENDS[1]


KIND = TrialKind(
    name="slider",
    version=2,
    clip_kind="single",
    skippable=False,
    block=block_schema(__file__),
    chooses=single.chooses,
    stacks=single.named_stacks,
    params=_params,
    validate=_validate,
    columns=(KindColumn("value", "number", "value from 0 (extremely bad) to 100 (ideal); empty for other kinds"),),
    scale=ENDS,
    simulate=_simulate,
    right=_right,
)
