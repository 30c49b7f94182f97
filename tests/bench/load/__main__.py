"""Many participants at once, at the pace of people: what they feel, and what they cost.

    tests/bench/load [--participants 500] [--arrive-s 60] [--trials 10] [--think-s 8] [--quota 6000] [--seed 1]
                     [--limit-s 600] [--runs 1] [--bucket]

Starts a platform of its own, with a published study, for each run. Exit status 1 where a bound is broken: an error,
p99.9 of the requests by the server's clock not below 2 s, somebody who has not begun by the second minute, a vote that
is not stored. With `--bucket`, an S3 store has the platform's files. Needs root, for the server's clock.
"""

import signal
import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[2])

from bench.load.options import parsed  # noqa: E402 - found by the path above
from bench.load.runner import Options, run  # noqa: E402


def main() -> int:
    options = parsed(Options, prog="tests/bench/load", doc=__doc__)
    # whoever stops us stops the platform too
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    return 1 if any(outcome.broken for outcome in run(options)) else 0


if __name__ == "__main__":
    sys.exit(main())
