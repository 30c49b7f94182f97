"""Computes the progress of a shared campaign. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from eyelevel.capture.blocks.plan import Block
from eyelevel_core.model.block_result import BlockResult

# window for the estimate of the time left
RECENT = timedelta(hours=1)


@dataclass(frozen=True)
class OfMachine:
    """One machine's work: blocks and runs that count, void attempts at runs, late results."""

    name: str
    blocks: int
    runs: int
    void: int
    late: int
    last_at: str


@dataclass(frozen=True)
class Status:
    """Block numbers by state; `left_s` is None if no estimate is possible."""

    done: tuple[int, ...]
    exhausted: tuple[int, ...]
    missing: tuple[int, ...]
    runs: int
    runs_done: int
    machines: tuple[OfMachine, ...]
    left_s: float | None

    @property
    def planned(self) -> int:
        return len(self.done) + len(self.exhausted) + len(self.missing)


def status_of(
    blocks: Sequence[Block],
    results: Mapping[str, Sequence[BlockResult]],
    apart: Iterable[BlockResult],
    *,
    max_attempts: int,
    now: datetime,
) -> Status:
    """Returns the state of all blocks. Ignores results of blocks that the campaign does not have."""
    done: list[int] = []
    exhausted: list[int] = []
    missing: list[int] = []
    counted: list[BlockResult] = []
    tries: list[BlockResult] = []
    for block in blocks:
        of_block = results.get(block.name, ())
        tries += of_block
        complete = [result for result in of_block if result.complete]
        counted += complete
        into = done if complete else exhausted if len(of_block) >= max_attempts else missing
        into.append(block.number)
    late = list(apart)
    return Status(
        done=tuple(done),
        exhausted=tuple(exhausted),
        missing=tuple(missing),
        runs=sum(len(block.runs) for block in blocks),
        runs_done=sum(len(result.takes) for result in counted),
        machines=_machines(counted, tries, late),
        left_s=_left_s(counted, len(missing), now),
    )


def _machines(
    counted: Iterable[BlockResult], tries: Iterable[BlockResult], late: Iterable[BlockResult]
) -> tuple[OfMachine, ...]:
    complete, tried, apart = list(counted), list(tries), list(late)
    names = sorted({(result.name, result.machine.fingerprint) for result in [*tried, *apart]})
    return tuple(
        OfMachine(
            name=name,
            blocks=sum(result.machine.fingerprint == fingerprint for result in complete),
            runs=sum(len(result.takes) for result in complete if result.machine.fingerprint == fingerprint),
            void=sum(
                line.void for result in tried if result.machine.fingerprint == fingerprint for line in result.attempts
            ),
            late=sum(result.machine.fingerprint == fingerprint for result in apart),
            last_at=max(result.ended_at for result in [*tried, *apart] if result.machine.fingerprint == fingerprint),
        )
        for name, fingerprint in names
    )


def _left_s(counted: Iterable[BlockResult], missing: int, now: datetime) -> float | None:
    times = sorted(datetime.fromisoformat(result.ended_at) for result in counted)
    recent = [at for at in times if now - at < RECENT]
    if len(recent) < 2:
        return None
    # counts from the end of the first block, whose duration is unknown
    return (now - recent[0]).total_seconds() / (len(recent) - 1) * missing
