"""An attempt: one try at a run, as a line of attempts.jsonl records how it ended."""

from dataclasses import dataclass
from enum import StrEnum

from eyelevel_core.model.record import Record
from eyelevel_core.model.run import RunName

# the cause of an attempt that is void only because another run of its block was
BLOCK_VOIDED = "another run of its block was void"


class Outcome(StrEnum):
    """How an attempt ended: with a take of a page that settled, with one that was censored, or without a take."""

    VALID = "valid"
    CENSORED = "censored"
    VOID = "void"


# the outcome of the attempt that made a take, by the take's own outcome
OUTCOME_OF_TAKE = {"settled": Outcome.VALID, "unsettled": Outcome.CENSORED}


@dataclass(frozen=True)
class Attempt(Record):
    """One line of attempts.jsonl. `run` is the run's path in the batch folder, `attempt` counts its attempts from 1.

    `cause` and `detail` are None except for a void attempt. `wall_s` is the time it took in seconds, None where its
    command died before it could record it. `ended_at` is in UTC, ISO 8601.
    """

    run: str
    attempt: int
    outcome: Outcome
    cause: str | None = None
    detail: str | None = None
    wall_s: float | None = None
    ended_at: str | None = None

    @property
    def name(self) -> RunName:
        """The run of this attempt."""
        return RunName.of_path(self.run)

    @property
    def stack(self) -> str:
        return self.name.stack

    @property
    def cache(self) -> str:
        return self.name.cache

    @property
    def void(self) -> bool:
        return self.outcome is Outcome.VOID

    @property
    def with_block(self) -> bool:
        """Whether it is void only because another stack's run of its block was, in a paired campaign."""
        return self.cause == BLOCK_VOIDED
