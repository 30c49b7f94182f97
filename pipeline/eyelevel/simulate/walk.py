"""One simulated participant's way through a study, from the consent to the completion code."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Any
from uuid import UUID

from eyelevel.errors import RefusedError
from eyelevel.simulate import model
from eyelevel.simulate.eyes import Eyes, Sight
from eyelevel.simulate.platform import Platform
from eyelevel_kinds import KINDS

# one vote in twenty is sent twice, as by a browser whose receipt was lost
LOST_RECEIPT_SHARE = 0.05
REPLAY_SHARE = 0.1


@dataclass
class Counts:
    """What all participants did together; `receipts` are the votes that the platform says it holds."""

    sessions: int = 0
    completed: int = 0
    votes: int = 0
    receipts: int = 0
    repeats: int = 0
    plays: int = 0
    skipped: int = 0


@dataclass(frozen=True)
class World:
    """What a walk needs from outside: eyes, a clock (UTC) and new random ids."""

    eyes: Eyes
    now: Callable[[], datetime]
    new_id: Callable[[], UUID]


def walk(platform: Platform, slug: str, *, seed: str, world: World, counts: Counts) -> str:
    """Go through the whole study and return the completion code; `counts` are added to as it goes.

    `seed` decides the person and every answer. Raise RefusedError where the platform refuses a step or breaks a
    promise of the API.
    """
    draw = Random(seed)  # noqa: S311 - a model's dice, no secret
    who = model.person(draw)
    try:
        study = platform.get(f"/api/participate/{slug}")
        session = _enter(platform, slug, study, who, draw)
        counts.sessions += 1
        mine = {"session_id": session["id"]}
        platform.put("/api/session/person", mine | {"answers": model.answers(study["questions"], draw)})
        skipped = [trial["position"] for trial in session["trials"] if _too_narrow(trial, who)]
        for trial in session["trials"]:
            if trial["position"] not in skipped:
                _vote(platform, trial, mine=mine, who=who, draw=draw, world=world, counts=counts)
        counts.skipped += len(skipped)
        code = platform.post("/api/session/finish", mine | {"skipped": skipped})["completion_code"]
    finally:
        counts.repeats += platform.repeats
    if not code:
        raise RefusedError("POST /api/session/finish gave no completion code.")
    counts.completed += 1
    return str(code)


def _enter(
    platform: Platform, slug: str, study: Mapping[str, Any], who: model.Person, draw: Random
) -> Mapping[str, Any]:
    if study["state"] != "open":
        raise RefusedError(f"The study {slug} is {study['state']}; nobody can take part.")
    width_px, height_px = who.screen_px
    session: Mapping[str, Any] = platform.post(
        f"/api/participate/{slug}/sessions",
        {
            "language": draw.choice(study["languages"]),
            "consent_version": study["consent"]["version"],
            "screen": {"width_px": width_px, "height_px": height_px, "device_pixel_ratio": 1.0},
        },
    )
    return session


def _too_narrow(trial: Mapping[str, Any], who: model.Person) -> bool:
    return bool(who.screen_px[0] < trial["params"].get("min_width_px", 0))


def _vote(
    platform: Platform,
    trial: Mapping[str, Any],
    *,
    mine: Mapping[str, str],
    who: model.Person,
    draw: Random,
    world: World,
    counts: Counts,
) -> None:
    """Load the clip, look at it, say so, and answer; `mine` names the session in every body."""
    kind = KINDS.get(trial["kind"])
    if kind is None or kind.version != trial["kind_version"]:
        version = f"{trial['kind']!r}, version {trial['kind_version']}"
        raise RefusedError(f"The trial at position {trial['position']} is of the unknown kind {version}.")
    clip = trial["clip"]
    data = platform.clip(clip["url"], size_bytes=clip["bytes"], sha256=clip["sha256"])
    sight = world.eyes.look(data, sha256=clip["sha256"], halves=kind.clip_kind == "pair")
    replays = int(draw.random() < REPLAY_SHARE)
    waited_ms = model.answer_ms(draw)
    answered_at = world.now()
    first_ended_at = answered_at - timedelta(milliseconds=waited_ms)
    for number in range(1 + replays):
        ended_at = first_ended_at if number == 0 else answered_at
        _play(platform, trial, sight, mine=mine, ended_at=ended_at, replay=number > 0, new_id=world.new_id)
        counts.plays += 1
    path = f"/api/session/votes/{world.new_id()}"
    vote = {
        **mine,
        "position": trial["position"],
        "clip_sha256": clip["sha256"],
        "kind": trial["kind"],
        "kind_version": trial["kind_version"],
        "data": kind.simulate(sight.si_ms, who, draw),
        "replays": replays,
        "answer_ms": waited_ms,
        "answered_at": answered_at.isoformat(),
    }
    counts.votes += 1
    receipt = platform.put(path, vote)
    if receipt["id"] != path.rpartition("/")[2]:
        raise RefusedError(f"PUT {path} gave the receipt of another vote: {receipt['id']}.")
    counts.receipts += 1
    if draw.random() < LOST_RECEIPT_SHARE:
        platform.put_again(path, vote, receipt)


def _play(
    platform: Platform,
    trial: Mapping[str, Any],
    sight: Sight,
    *,
    mine: Mapping[str, str],
    ended_at: datetime,
    replay: bool,
    new_id: Callable[[], UUID],
) -> None:
    started_at = ended_at - timedelta(milliseconds=sight.duration_ms)
    play = {
        **mine,
        "position": trial["position"],
        "started_at": started_at.isoformat(),
        "ended_at": ended_at.isoformat(),
        "replay": replay,
        "events": [],
        "frames": None,
    }
    platform.put(f"/api/session/plays/{new_id()}", play)
