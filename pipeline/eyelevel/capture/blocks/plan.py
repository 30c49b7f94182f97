"""The numbered blocks of a campaign: one run of each stack and cache mode of a scene. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from eyelevel_core.model.run import Run


@dataclass(frozen=True)
class Block:
    """Runs that one machine films in sequence, so comparisons never mix machines. `number` starts at 0."""

    number: int
    name: str
    runs: tuple[Run, ...]

    @property
    def site(self) -> str:
        return self.runs[0].site


def shared_blocks(runs: Sequence[Run]) -> list[Block]:
    """Returns all blocks in the campaign's order, where the runs of a block are consecutive."""
    grouped = [(name, tuple(members)) for name, members in groupby(runs, key=lambda run: run.block)]
    return [Block(number, name, members) for number, (name, members) in enumerate(grouped)]


def ranges(numbers: Sequence[int]) -> str:
    """Formats numbers in the notation of job arrays: `0-2,5`."""
    parts: list[list[int]] = []
    for number in sorted(numbers):
        if parts and number == parts[-1][-1] + 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    return ",".join(str(part[0]) if len(part) == 1 else f"{part[0]}-{part[-1]}" for part in parts)
