"""Send simulated participants through studies with known answers, and compare what the platform says.

    tests/bench/acceptance.py [--participants 200] [--case known-effect|2019] [--real-time]

The case known-effect: 10 sites; on LTE, QUIC is clearly faster than TCP+, on DSL both are the same; a fifth of the
participants is careless. The case 2019 is docs/guides/study-2019.yaml on a batch with its sites, networks and stacks.
Starts a platform of its own in a temporary folder. Prints each figure with what was planted and its bound; status 1
where one does not hold. With --real-time, participants watch each clip for its length, 40 at a time.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[1])

from planted.cases import Case, known_effect, study_2019  # noqa: E402 - found by the path above
from planted.figures import figures, run  # noqa: E402
from platform_process import running  # noqa: E402

WITHIN_S = 900.0
CASES = {"known-effect": lambda: known_effect(sites=10, whole=True), "2019": study_2019}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--participants", type=int, default=200)
    parser.add_argument("--case", choices=CASES, action="append")
    parser.add_argument("--real-time", action="store_true")
    asked = parser.parse_args()
    arguments = ("--real-time",) if asked.real_time else ()
    held = [hold(name, CASES[name](), asked.participants, arguments) for name in asked.case or CASES]
    return 0 if all(held) else 1


def hold(name: str, case: Case, participants: int, arguments: tuple[str, ...]) -> bool:
    """Print the figures of a case; whether all hold."""
    begun = time.monotonic()
    with running() as platform, tempfile.TemporaryDirectory() as scratch:
        ran = run(platform, case, Path(scratch), participants=participants, within_s=WITHIN_S, arguments=arguments)
        found = list(figures(ran))
    print(f"{name}: {participants} participants, seed {case.seed}, {time.monotonic() - begun:.0f} s")
    for row in found:
        print(f"  {'ok ' if row.holds else 'OUT'} {row.what}: planted {row.planted}, found {row.found} ({row.bound})")
    return all(row.holds for row in found)


if __name__ == "__main__":
    sys.exit(main())
