"""A participant who does everything right, to be changed in one thing at a time."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from eyelevel_core.study.design import Design, Rule
from eyelevel_core.study.resolve import design_of, resolve
from eyelevel_stats.conformance import Evidence, Finding, Play, Question, Spell, Trial, judge, rules_of

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
TEXT = {"en": "x"}
# with the default rules
DESIGN = design_of(
    resolve(
        {
            "name": "small",
            "seed": 1,
            "languages": ["en"],
            "title": TEXT,
            "contact": "study@example.org",
            "consent": {"version": "1", "text": TEXT},
            "batch": "small",
            "contexts": [{"key": "work", "label": TEXT, "networks": ["DSL"]}],
            "trials": [{"kind": "rate", "count": 1}],
            "controls": {"videos": {"count": 1}},
        }
    )
)


def design(name: str, **changes: Any) -> Design:
    """DESIGN with other fields of one rule: `use`, `pay`, or a threshold."""
    rule = DESIGN.conformance.rules[name]
    fields = {"use": rule.use, "pay": rule.pay} | {key: changes.pop(key) for key in ("use", "pay") if key in changes}
    changed = Rule(**fields, thresholds={**rule.thresholds, **changes})
    rules = {**DESIGN.conformance.rules, name: changed}
    return replace(DESIGN, conformance=replace(DESIGN.conformance, rules=rules))


def play(**changes: Any) -> Play:
    """From noon for 5 s, to its end, watched; on a display with two device pixels per CSS pixel."""
    default = Play(
        ended_at=after(5),
        received_at=after(5.1),
        complete=True,
        media_ms=5000.0,
        stalls=(),
        away=(),
        scale=0.6,
        device_scale=1.2,
        hidden=(),
    )
    return replace(default, **changes)


def trial(position: int = 1, **changes: Any) -> Trial:
    """Answered 2 s after its only play; the clip stands still for 1 s and changes first at 1400 ms of its own time."""
    default = Trial(
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
        clip_sent_at=after(-1),
        min_scale=0.5,
        min_device_scale=1.0,
        plays=(play(),),
    )
    return replace(default, **changes)


def person(*trials: Trial, **changes: Any) -> Evidence:
    """Done after 20 minutes."""
    default = Evidence(
        started_at=NOON, completed_at=NOON + timedelta(minutes=20), trials=trials or (trial(),), questions=()
    )
    return replace(default, **changes)


def control(position: int, data: dict[str, Any], *delays_ms: float) -> Trial:
    kind = "compare" if "choice" in data else "slider" if "value" in data else "rate"
    return trial(position, role="control", kind=kind, data=data, delays_ms=delays_ms)


def question(choice: str | None, key: str = "attention") -> Question:
    return Question(key=key, right="red", choice=choice)


def spell(ms: float, at_ms: float = 0.0) -> Spell:
    return Spell(at_ms=at_ms, ms=ms)


def after(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def finding(rule: str, evidence: Evidence, study_design: Design = DESIGN) -> Finding:
    """What one rule says."""
    found = {judged.rule: judged for judged in judge(evidence, rules_of(study_design)).findings}
    return found[rule]
