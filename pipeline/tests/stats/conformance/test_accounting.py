"""Every session is counted once, under one outcome, and so is every vote."""

import random

from eyelevel_stats.conformance import Counted, CountRow, accounts
from eyelevel_stats.conformance.accounting import MEANING


def session(origin: str = "person", *left_out_by: str, completed: bool = True, judged: bool = True) -> Counted:
    return Counted(origin, completed, judged, frozenset(left_out_by), votes=3)


def test_each_outcome_has_its_own_row() -> None:
    sessions = [
        session(),
        session("person", "R3"),
        session("person", "R1", "beyond_quota"),
        session("person", "nothing_rated"),
        session("person", "beyond_quota"),
        session(judged=False),
        session(completed=False, judged=False),
        session("simulated"),
        session("simulated", "R3"),
    ]
    assert accounts(sessions) == (
        CountRow("used", 1, 3),
        CountRow("excluded", 3, 9),
        CountRow("over_quota", 1, 3),
        CountRow("waiting", 1, 3),
        CountRow("incomplete", 1, 3),
        CountRow("simulated", 2, 6),
    )


def test_with_simulated_ones_they_are_counted_by_what_became_of_them() -> None:
    counted = {row.outcome: row.sessions for row in accounts([session("simulated")] * 2, simulated_too=True)}
    assert (counted["used"], counted["simulated"]) == (2, 0)


def test_the_rows_add_up_to_all_sessions_and_votes() -> None:
    rng = random.Random(1)
    reasons = ("R1", "R7", "beyond_quota", "seen_before")
    sessions = [
        Counted(
            rng.choice(("person", "simulated")),
            rng.random() < 0.7,
            rng.random() < 0.7,
            frozenset(rng.sample(reasons, rng.randrange(3))),
            rng.randrange(20),
        )
        for _ in range(500)
    ]
    for simulated_too in (False, True):
        rows = accounts(sessions, simulated_too=simulated_too)
        assert [row.outcome for row in rows] == list(MEANING)
        assert sum(row.sessions for row in rows) == 500
        assert sum(row.votes for row in rows) == sum(counted.votes for counted in sessions)
