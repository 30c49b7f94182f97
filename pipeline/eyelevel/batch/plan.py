"""Which clips a batch holds: one per take, and two, in both orders, per scene and pair of stacks."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from eyelevel.batch.takes import Take


@dataclass(frozen=True)
class Plan:
    """A clip to be made from one take, or from two of one scene, left then right."""

    takes: tuple[Take, ...]

    @property
    def kind(self) -> Literal["single", "pair"]:
        return "single" if len(self.takes) == 1 else "pair"

    @property
    def end_ms(self) -> float:
        """Until all have settled."""
        return max(take.end_ms for take in self.takes)


def plan(
    takes: Sequence[Take], pairs: Sequence[Sequence[str]], stacks: Collection[str]
) -> tuple[list[Plan], list[str]]:
    """The clips to make and one warning for each pair that lacks a take; pairs of stacks not in `stacks` make none."""
    plans = [Plan((take,)) for take in takes]
    warnings: list[str] = []
    found = {(take.scene, take.stack): take for take in takes}
    for scene in sorted({take.scene for take in takes}):
        for one, other in pairs:
            if one not in stacks or other not in stacks:
                continue
            missing = [stack for stack in (one, other) if (scene, stack) not in found]
            if missing:
                site, network, run = scene
                warnings.append(
                    f"{site}, {network}, run {run}: no clip shows {one} beside {other}, for there is no take of "
                    f"{' and '.join(missing)}."
                )
                continue
            left, right = found[scene, one], found[scene, other]
            plans += [Plan((left, right)), Plan((right, left))]
    return plans, warnings
