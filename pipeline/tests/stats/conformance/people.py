"""A participant who does everything right, to be changed in one thing at a time."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from eyelevel_stats.conformance import Evidence, Finding, Play, Question, Spell, Trial, judge, rules_of

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
DESIGN: dict[str, Any] = {
    "session": {"time_limit_minutes": 90},
    "controls": {"videos": {"count": 1, "max_score": 3}},
    "conformance": {
        "version": 2,
        "R1": {"use": True, "pay": False},
        "R2": {"use": True, "pay": True, "stall_ms": 500},
        "R3": {"use": True, "pay": True, "away_ms": 10_000},
        "R4": {"use": True, "pay": True, "tolerance_ms": 0},
        "R5": {"use": True, "pay": True},
        "R6": {"use": True, "pay": False, "wrong_at_most": 0},
        "R7": {"use": True, "pay": False, "wrong_at_most": 0},
    },
}


def design(rule: str, **changes: Any) -> dict[str, Any]:
    """DESIGN with another setting of one rule."""
    return DESIGN | {"conformance": DESIGN["conformance"] | {rule: DESIGN["conformance"][rule] | changes}}


def play(**changes: Any) -> Play:
    """From noon for 5 s, to its end, watched."""
    own = Play(
        ended_at=after(5),
        received_at=after(5.1),
        complete=True,
        media_ms=5000.0,
        stalls=(),
        away=(),
    )
    return replace(own, **changes)


def trial(position: int = 1, **changes: Any) -> Trial:
    """Answered 2 s after its only play; the clip stands still for 1 s and changes first at 1400 ms of its own time."""
    own = Trial(
        position=position,
        role="main",
        kind="rate",
        data={"score": 4},
        answer_from="end",
        answered_at=after(7),
        received_at=after(7.2),
        media_ms=5000.0,
        away=(),
        first_changes_ms=(1400.0,),
        delays_ms=(),
        duration_ms=5000.0,
        plays=(play(),),
    )
    return replace(own, **changes)


def person(*trials: Trial, **changes: Any) -> Evidence:
    """Done after 20 minutes."""
    own = Evidence(
        started_at=NOON, completed_at=NOON + timedelta(minutes=20), trials=trials or (trial(),), questions=()
    )
    return replace(own, **changes)


def control(position: int, data: dict[str, Any], *delays_ms: float) -> Trial:
    kind = "compare" if "choice" in data else "slider" if "value" in data else "rate"
    return trial(position, role="control", kind=kind, data=data, delays_ms=delays_ms)


def question(choice: str | None, key: str = "attention") -> Question:
    return Question(key=key, right="red", choice=choice)


def spell(ms: float, at_ms: float = 0.0) -> Spell:
    return Spell(at_ms=at_ms, ms=ms)


def after(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def finding(rule: str, evidence: Evidence, own: dict[str, Any] = DESIGN) -> Finding:
    """What one rule says."""
    found = {one.rule: one for one in judge(evidence, rules_of(own)).findings}
    return found[rule]
