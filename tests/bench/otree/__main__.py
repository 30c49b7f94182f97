"""Eyelevel beside oTree in turn: saved answers for a second of processor time, and the time that saving takes.

    tests/bench/otree [--participants 25] [--arrive-s 1] [--rounds 10] [--think-s 0] [--pairs 12] [--seed 1]

Both run at the same time, each with a database of its own on the same binaries of PostgreSQL with the same settings,
and meet the same generator in short turns: a machine whose speed changes from minute to minute is then equally fast
for both turns of a pair. Participants of both are made within their turn: oTree's session by its REST call, Eyelevel's
by their own beginnings. What a participant does:

    oTree: joins (two redirects and the first page), sends each page (a redirect, and the next page)
    Eyelevel: reads the invitation, begins, answers about the person, fetches each film whole, sends the play with its
    telemetry and the vote, answers a control question, finishes

Neither fetches style sheets or scripts, and nobody watches: both think equally long. All that a side's services use
counts, also what they do until their next turn. Exit status 1 where the ratio of saved answers for a second of
processor time is not shown to be at least 1 (the lower end of its interval of 95 %), where Eyelevel's saving has a
higher p99, or where an answer is lost.
"""

import signal
import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[2])

from bench.load.options import parsed  # noqa: E402 - found by the path above
from bench.otree.runner import Options, compared, run  # noqa: E402


def main() -> int:
    options = parsed(Options, prog="tests/bench/otree", doc=__doc__)
    # whoever stops us stops the servers too
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    outcome = run(options)
    print(f"\n{compared(outcome)}")
    for sentence in outcome.faults[:10]:
        print(f"NOT KEPT: {sentence}")
    return 0 if outcome.ok else 1


if __name__ == "__main__":
    sys.exit(main())
