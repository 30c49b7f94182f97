"""Server's clock: whether a participant's votes could have been given in the time that passed on the server.

Source of the rule and of SHARE: R9 in docs/explanation/conformance.md. Gaps between two receipts are no evidence,
because an outbox that was offline delivers everything at once. An unknown value (None) never breaks the rule.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

# of a clip's length: a margin for clocks, whose speeds differ a little, and for the last frames of a video
SHARE = 0.95


@dataclass(frozen=True)
class Answered:
    """A trial with its vote.

    `duration_ms`: the clip's length. `clip_sent_at`: when its first byte was sent to this session. `received_at`: when
    the vote arrived. `whole_play`: the vote was given after a play to the clip's end.
    """

    position: int
    duration_ms: float | None
    clip_sent_at: datetime | None
    received_at: datetime
    whole_play: bool


@dataclass(frozen=True)
class TooEarly:
    """A vote that arrived `passed_ms` after its clip was sent, which is less than `needed_ms`.

    `passed_ms` is None where the clip was never sent, so nobody can have watched it.
    """

    position: int
    passed_ms: float | None
    needed_ms: float


@dataclass(frozen=True)
class ServerClock:
    """`passed_ms`: from the consent to the finish. `needed_ms`: the least that watching the clips takes.

    `too_early`: votes that arrived before their clip can have been watched. `unknown`: trials that cannot be judged.
    """

    passed_ms: float
    needed_ms: float
    too_early: tuple[TooEarly, ...]
    unknown: int

    @property
    def too_short(self) -> bool:
        """Whether the whole session took less time than its clips."""
        return self.passed_ms < self.needed_ms

    @property
    def broken(self) -> bool:
        return self.too_short or bool(self.too_early)


def server_clock(consent_at: datetime, finish_at: datetime, trials: Iterable[Answered]) -> ServerClock:
    """Checks the votes of one session; for a session that still runs, `finish_at` is the present time."""
    answered = list(trials)
    known = [trial.duration_ms for trial in answered if trial.duration_ms is not None]
    return ServerClock(
        passed_ms=_ms(consent_at, finish_at),
        needed_ms=watchable_ms(sum(known)),
        too_early=tuple(early for trial in answered if (early := _too_early(trial)) is not None),
        unknown=sum(
            trial.duration_ms is None or (trial.clip_sent_at is None and not trial.whole_play) for trial in answered
        ),
    )


def watchable_ms(duration_ms: float) -> float:
    """The least time between a clip's first byte and the end of a play of the whole clip."""
    return SHARE * duration_ms


def _too_early(trial: Answered) -> TooEarly | None:
    if not trial.whole_play or trial.duration_ms is None:
        return None
    needed = watchable_ms(trial.duration_ms)
    if trial.clip_sent_at is None:
        return TooEarly(trial.position, None, needed)
    passed = _ms(trial.clip_sent_at, trial.received_at)
    return TooEarly(trial.position, passed, needed) if passed < needed else None


def _ms(start: datetime, end: datetime) -> float:
    return (end - start).total_seconds() * 1000
