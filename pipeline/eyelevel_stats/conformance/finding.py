"""The finding of a rule about a participant, combined from its findings about the trials."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from eyelevel_stats.conformance.evidence import Trial

Broken = Literal["yes", "no", "unknown"]
# a reason is a sentence to read, not a list
NAMED_AT_MOST = 3


@dataclass(frozen=True)
class Finding:
    """The state of a rule, with the reason; `trials` are the positions that break it, `unknown` counts unknown ones."""

    rule: str
    broken: Broken
    reason: str
    trials: tuple[int, ...] = ()
    unknown: int = 0


def over_trials(
    rule: str, trials: Sequence[Trial], look: Callable[[Trial], tuple[Broken, str]], *, fine: str
) -> Finding:
    """Combines findings about trials: broken if one trial breaks the rule; unknown if none does, but one is unknown.

    `look` returns the state of one trial and why; `fine` is the reason if all keep the rule, with {n} for their number.
    """
    looks = [(trial.position, *look(trial)) for trial in trials]
    broken = [(position, why) for position, state, why in looks if state == "yes"]
    unknown = [(position, why) for position, state, why in looks if state == "unknown"]
    positions = tuple(position for position, _ in broken)
    if broken:
        return Finding(rule, "yes", _sentence(broken), positions, len(unknown))
    if unknown:
        return Finding(rule, "unknown", _sentence(unknown), (), len(unknown))
    return Finding(rule, "no", fine.format(n=len(trials)) if trials else "there is no trial to judge")


def seconds(ms: float) -> str:
    """Formats `12.3 s`, to a tenth of a millisecond; below a second `950 ms`."""
    return f"{_short(ms, 1)} ms" if abs(ms) < 1000 else f"{_short(ms / 1000, 4)} s"


def _short(value: float, digits: int) -> str:
    return f"{value:.{digits}f}".rstrip("0").rstrip(".")


def _sentence(cases: Sequence[tuple[int, str]]) -> str:
    named = "; ".join(f"trial {position}: {why}" for position, why in cases[:NAMED_AT_MOST])
    more = len(cases) - NAMED_AT_MOST
    return f"{named}; and {more} more" if more > 0 else named
