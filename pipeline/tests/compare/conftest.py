"""From a plan to a comparison, through a folder as capture leaves it."""

from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import mkdtemp

import pytest

from eyelevel.compare.comparison import Choices, Comparison, compare
from eyelevel.compare.floors import FILM_COST
from eyelevel.compare.inference import Correction
from eyelevel.compare.pairs import choose_pairs, reference_of
from eyelevel.compare.reading import read_batch

from .made import Plan, write

Compared = Callable[..., Comparison]


@pytest.fixture
def compared(tmp_path: Path) -> Compared:
    def run(
        plan: Plan,
        *,
        attempts: Sequence[dict[str, object]] | None = (),
        pairs: Sequence[str] = (),
        correction: Correction = "holm",
        film_cost: float = FILM_COST,
    ) -> Comparison:
        batch = read_batch(write(plan, Path(mkdtemp(dir=tmp_path)), attempts=attempts))
        stacks = {load.stack for load in batch.loads}
        chosen = choose_pairs(pairs, batch.campaign, stacks)
        return compare(batch, Choices(chosen, reference_of(stacks), correction, film_cost=film_cost))

    return run
