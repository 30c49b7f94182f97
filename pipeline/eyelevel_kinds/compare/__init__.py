"""`compare`: two loads side by side; the participant says which was faster, and how sure they are."""

from collections.abc import Iterable, Mapping, Sequence
from math import log
from random import Random

from eyelevel_kinds.scale import AT_ONCE_MS
from eyelevel_kinds.shape import (
    Answer,
    AnswerError,
    Block,
    Contradiction,
    KindColumn,
    Temper,
    Text,
    TrialKind,
    Where,
    block_schema,
    only,
    sizes,
    whole_number,
)

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
# a difference in Speed Index of a quarter is what half of the simulated people just notice
JUST_NOTICEABLE = 0.25
# of simulated people: noise in just noticeable differences, per point of noise on the seven-point scale
NOISE_PER_POINT = 0.5 / 0.6


def _chooses(block: Block, stacks: Sequence[str]) -> bool:
    # both orders of a pair are shown, to different participants
    return "pairs" not in block or set(stacks) in [set(pair) for pair in block["pairs"]]


def _stacks(block: Block) -> Iterable[tuple[Where, str]]:
    pairs = enumerate(block.get("pairs", []))
    return ((("pairs", place, side), stack) for place, pair in pairs for side, stack in enumerate(pair))


def _contradictions(block: Block) -> Iterable[Contradiction]:
    seen: set[frozenset[str]] = set()
    for number, pair in enumerate(block.get("pairs", [])):
        stacks, where = frozenset(pair), ("pairs", number)
        if len(stacks) < 2:
            yield Contradiction(where, f"compares {pair[0]} with itself.")
        elif stacks in seen:
            says = f"repeats {' and '.join(sorted(stacks))}; both orders of a pair are shown anyway, so delete it."
            yield Contradiction(where, says)
        seen.add(stacks)


def _params(block: Block) -> dict[str, object]:
    width_px = block["min_width_px"]
    return {"question": QUESTION, "min_width_px": width_px, "sureness_labels": SURENESS_LABELS, **sizes(block)}


def _validate(data: Mapping[str, object]) -> Answer:
    only(data, ["choice", "sureness"])
    choice = data.get("choice")
    if not isinstance(choice, str) or choice not in CHOICES:
        raise AnswerError("choice", f"choice is {choice!r}, but must be one of {', '.join(CHOICES)}.")
    return {"choice": choice, "sureness": whole_number(data, "sureness", 1, len(SURENESS_LABELS))}


def _simulate(si_ms: Sequence[float | None], who: Temper, draw: Random) -> Answer:
    """Simulates an answer; a page that never showed anything loses against one that did."""
    left_si_ms, right_si_ms = si_ms
    if left_si_ms is None or right_si_ms is None:
        winner = "none" if left_si_ms is right_si_ms else "right" if left_si_ms is None else "left"
        return {"choice": winner, "sureness": 5}
    ratio = max(left_si_ms, AT_ONCE_MS) / max(right_si_ms, AT_ONCE_MS)
    # in just noticeable differences; above 0 the right side was faster
    seen = log(ratio) / log(1 + JUST_NOTICEABLE) + draw.gauss(0, NOISE_PER_POINT * who.noise_sd)
    sureness = min(5, 1 + int(2 * abs(abs(seen) - 1)))
    return {"choice": "none" if abs(seen) < 1 else "right" if seen > 0 else "left", "sureness": sureness}


def _right(data: Mapping[str, str | float], delays_ms: Sequence[float], _max_score: float) -> bool:
    left_ms, right_ms = delays_ms
    return bool(data["choice"] == ("right" if left_ms > right_ms else "left"))


KIND = TrialKind(
    name="compare",
    version=2,
    clip_kind="pair",
    skippable=True,
    block=block_schema(__file__),
    chooses=_chooses,
    stacks=_stacks,
    contradictions=_contradictions,
    params=_params,
    validate=_validate,
    columns=(
        KindColumn("choice", "string", "side that loaded faster: left, right or none; empty for other kinds"),
        KindColumn(
            "sureness",
            "integer",
            "sureness of the answer, from 1 (not sure at all) to 5 (very sure); empty for other kinds",
        ),
    ),
    scale=None,
    simulate=_simulate,
    right=_right,
)
