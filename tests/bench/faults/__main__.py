"""Lose networks, pages, browsers and servers under participants, and count the votes.

    tests/bench/faults [--sessions 1000] [--browsers 20] [--kills 3] [--seed 1] [--offline-s 60] [--asleep-s 25]
                       [--ledger FOLDER] [--bucket]

Starts a platform of its own on free ports in a temporary folder. Prints one table; exit status 1 where a vote was lost,
doubled or changed, or another promise broken, or the platform did not come back, 2 for wrong options. `--lose`
(votes), `--lose-plays`, `--change` and `--double` (so many of both) plant lies between participants and platform: with
any of them the status must be 1. Needs Chromium, but for `--browsers 0`.
"""

import argparse
import signal
import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[2])

from bench.faults.chaos import NotWellError  # noqa: E402 - found by the path above
from bench.faults.report import table  # noqa: E402
from bench.faults.runner import Options, run  # noqa: E402


def count(text: str) -> int:
    value = int(text)
    if value < 0:
        raise argparse.ArgumentTypeError(f"{text} is below 0")
    return value


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests/bench/faults", description=(__doc__ or "").partition("\n")[0])
    defaults = Options()
    for name in ("sessions", "browsers", "kills", "seed", "lose", "lose-plays", "change", "double"):
        parser.add_argument(f"--{name}", type=count, default=getattr(defaults, name.replace("-", "_")))
    for name in ("offline-s", "asleep-s", "think-s"):
        parser.add_argument(f"--{name}", type=float, default=getattr(defaults, name.replace("-", "_")))
    parser.add_argument("--ledger", type=Path, help="folder in which to keep the ledgers")
    parser.add_argument("--bucket", action="store_true", help="files in an S3 store instead of a folder")
    options = Options(**vars(parser.parse_args()))
    if not options.sessions and not options.browsers:
        parser.error("nobody takes part: --sessions or --browsers must be above 0")
    # whoever stops us stops the platform too
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    try:
        outcome = run(options)
    except NotWellError as error:
        print(error, file=sys.stderr)
        return 1
    print(table(outcome))
    return 0 if outcome.ok else 1


if __name__ == "__main__":
    sys.exit(main())
