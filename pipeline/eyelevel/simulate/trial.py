"""One trial of a simulated participant: play the clip, send the evidence, and vote."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from uuid import UUID

from eyelevel.errors import RefusedError
from eyelevel.simulate import model
from eyelevel.simulate.evidence import away_spans, play_body
from eyelevel.simulate.eyes import Eyes, Sight
from eyelevel.simulate.session import Trial
from eyelevel_kinds import KINDS, TrialKind

REPLAY_SHARE = 0.1
# how much of a film a participant has seen who answers before it shows anything
RUSHED_MS = 100.0


@dataclass(frozen=True)
class World:
    """The environment of a simulated participant: eyes, a clock (UTC) and new random ids.

    `wait` waits for the seconds that a person would spend; by default it does not wait, and times are set back instead.
    """

    eyes: Eyes
    now: Callable[[], datetime]
    new_id: Callable[[], UUID]
    wait: Callable[[float], None] = lambda _seconds: None


@dataclass(frozen=True)
class Answered:
    """The request bodies of a trial's plays, in order, and of its vote."""

    plays: list[dict[str, object]]
    vote: dict[str, object]


def kind_of(trial: Trial) -> TrialKind:
    """Returns the kind of a trial; raises RefusedError if it is unknown."""
    kind = KINDS.get(trial.kind)
    if kind is None or kind.version != trial.kind_version:
        version = f"{trial.kind!r}, version {trial.kind_version}"
        raise RefusedError(f"The trial at position {trial.position} is of the unknown kind {version}.")
    return kind


def answer(trial: Trial, data: bytes, *, who: model.Person, leaves: bool, draw: Random, world: World) -> Answered:
    """Returns a person's plays and vote for a clip; with `leaves`, the page is hidden for a while."""
    kind, clip = kind_of(trial), trial.clip
    halves = kind.clip_kind == "pair"
    sight = world.eyes.look(data, halves=halves, start_ms=clip.start_ms)
    from_start = trial.answer_from == "start"
    rushes = "rushes" in who.faults and from_start
    replays = 0 if rushes else int(draw.random() < REPLAY_SHARE)
    waited_ms = model.answer_ms(draw)
    plays_ms, waited = sight.duration_ms * (1 + replays), timedelta(milliseconds=0 if rushes else waited_ms)
    world.wait(plays_ms / 1000 + waited.total_seconds())
    # a person who rushes answers during the play, which continues to its end; others answer some time after its end
    last_end = world.now() - waited
    length = timedelta(milliseconds=sight.duration_ms)
    answered_at = last_end - length + timedelta(milliseconds=RUSHED_MS) if rushes else last_end + waited
    ends = [last_end - length * number for number in reversed(range(1 + replays))]
    return Answered(
        plays=[
            play_body(trial, sight.duration_ms, who, ended_at=end, replay=number > 0) for number, end in enumerate(ends)
        ],
        vote={
            "position": trial.position,
            "clip_digest": clip.digest,
            "kind": trial.kind,
            "kind_version": trial.kind_version,
            "data": kind.simulate(_seen(sight, who, draw), who, draw),
            # a program has no window; people with a wide one see the answers in a row
            "layout": "row",
            "replays": replays,
            "answer_ms": RUSHED_MS if rushes else waited_ms + (sight.duration_ms if from_start else 0),
            "media_ms": RUSHED_MS if rushes else sight.duration_ms,
            "away": away_spans(leaves, draw),
            "answered_at": answered_at.isoformat(),
        },
    )


def _seen(sight: Sight, who: model.Person, draw: Random) -> tuple[float | None, ...]:
    return tuple(model.guessed_si_ms(draw) for _ in sight.si_ms) if "guesses" in who.faults else sight.si_ms
