"""`rate`: satisfaction with the speed, on a seven-point scale."""

from collections.abc import Mapping, Sequence
from random import Random

from eyelevel_kinds import scale, single
from eyelevel_kinds.shape import Answer, Block, KindColumn, Temper, TrialKind, block_schema, only, sizes, whole_number

ENDS = (1, len(scale.LABELS))


def _params(block: Block) -> dict[str, object]:
    return {"question": scale.QUESTION, "labels": scale.LABELS, **sizes(block)}


def _validate(data: Mapping[str, object]) -> Answer:
    only(data, ["score"])
    return {"score": whole_number(data, "score", *ENDS)}


def _simulate(si_ms: Sequence[float | None], who: Temper, draw: Random) -> Answer:
    return {"score": round(scale.opinion(si_ms[0], who, draw))}


def _right(data: Mapping[str, str | float], _delays_ms: Sequence[float], max_score: float) -> bool:
    return float(data["score"]) <= max_score


KIND = TrialKind(
    name="rate",
    version=2,
    clip_kind="single",
    skippable=False,
    block=block_schema(__file__),
    chooses=single.chooses,
    stacks=single.named_stacks,
    params=_params,
    validate=_validate,
    columns=(KindColumn("score", "integer", "score from 1 (extremely bad) to 7 (ideal); empty for other kinds"),),
    scale=ENDS,
    simulate=_simulate,
    right=_right,
)
