"""All tables of comparisons together."""

import numpy as np

from eyelevel_stats.pairs.observations import Choice, PairVote, SameVote
from eyelevel_stats.pairs.results import PairResults, pair_results

CHOICES: tuple[Choice, ...] = ("left", "none", "right")


def votes() -> tuple[list[PairVote], list[SameVote]]:
    rng = np.random.default_rng(4)
    found = [
        PairVote(
            participant=f"p{number % 30}",
            site=f"s{number % 4}",
            network=("DSL", "LTE")[number % 2],
            left_stack=left,
            right_stack=right,
            choice=CHOICES[rng.integers(3)],
            left_si_ms=float(rng.uniform(900, 2000)),
            right_si_ms=None if number % 17 == 0 else float(rng.uniform(900, 2000)),
            sureness=None if number % 19 == 0 else int(rng.integers(1, 6)),
            replays=int(rng.integers(3)),
        )
        for number in range(400)
        for left, right in [rng.permutation(["QUIC", "TCP", "TCP+"])[:2].tolist()]
    ]
    same = [SameVote(f"p{n}", "DSL", "TCP", CHOICES[n % 3], (True, False, None)[n % 3]) for n in range(30)]
    return found, same


def test_the_order_of_the_votes_does_not_matter() -> None:
    found, same = votes()
    order = np.random.default_rng(5).permutation(len(found))
    assert pair_results([found[at] for at in order], same[::-1]) == pair_results(found, same)


def test_every_table_has_its_rows() -> None:
    result = pair_results(*votes())
    counts = {name: len(rows) for name, rows in vars(result).items()}
    assert counts == {
        "components": 2,
        "worths": 6,
        "jods": 6,
        "slopes": 3,
        "thresholds": 6,
        "detection": 2,
        "sureness": 30,
        "sureness_means": 4,
        "sureness_differences": 2,
        "replays": 4,
    }


def test_without_votes_every_table_is_empty() -> None:
    assert pair_results([], []) == PairResults((), (), (), (), (), (), (), (), (), ())
