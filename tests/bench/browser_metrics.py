"""What browsers measure, beside Lighthouse: our observer and Lighthouse look at the same loads of recorded pages.

Lighthouse drives Chromium inside the testbed (metrics as observed, throttling "provided"); the product's page script is
in the page, and its question is asked when Lighthouse has ended. What came after Lighthouse's trace is left out here.
The requests in flight are those that Lighthouse saw, as the page cannot tell of all. DCL is compared by the end of the
event, which is what Lighthouse reports; ours in takes is its start. Loads: each recording over TCP+ and QUIC, the ten
recordings beside the checkout where they exist, else the fixtures. Bounds: each value within 5 % or 20 ms, CLS within
0.002, and unknown in both or in neither. Needs root, Chromium, npm and node.

    tests/bench/browser_metrics.py [RECORDING...]
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import testbed
from eyelevel.loads.inside.measuring.browser_metrics import browser_metrics, entries_of, until
from eyelevel.recording import recorded_at_ms

HOME = Path(__file__).with_name("lighthouse")
INSIDE = Path(__file__).with_name("lighthouse_inside.py")
SHARED = Path(os.environ.get("EYELEVEL_SHARED", testbed.REPOSITORY.parent / "shared")) / "recordings"
NETWORK, STACKS = "DSL", ("TCP+", "QUIC")
SEED = 11
LIMIT_S = 180
SHARE, MS, CLS = 0.05, 20.0, 0.002
# our field, and Lighthouse's name of the same
THEIRS = {
    "fcp_ms": "observedFirstContentfulPaint",
    "lcp_ms": "observedLargestContentfulPaint",
    "cls": "observedCumulativeLayoutShift",
    "tbt_ms": "totalBlockingTime",
    "tti_ms": "interactive",
    "dcl_ms": "observedDomContentLoaded",
    "ttfb_ms": "timeToFirstByte",
}


def install() -> None:
    """Get what the lock file names, once, without install scripts."""
    if shutil.which("npm") is None:
        raise SystemExit("This bench needs npm to install Lighthouse.")
    if not (HOME / "node_modules" / "lighthouse").exists():
        command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", str(HOME)]
        if subprocess.run(command, stdout=sys.stderr, check=False).returncode != 0:
            raise SystemExit("Lighthouse could not be installed; npm's own words stand above.")


def recordings() -> list[Path]:
    given = [Path(name).resolve() for name in sys.argv[1:]]
    shared = sorted(SHARED.glob("*.warc.gz"))
    fixtures = [testbed.REPOSITORY / "fixtures" / f"{name}.warc.gz" for name in ("garden", "harbour", "teashop")]
    return given or shared or fixtures


def observed(recording: Path, stack: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        inside = [sys.executable, str(INSIDE), folder, str(SEED), str(recorded_at_ms(recording))]
        asked = ["--recording", str(recording), "--network", NETWORK]
        found: dict[str, Any] = json.loads(testbed.run(stack, inside, asked, seed=SEED, limit_s=LIMIT_S))
        return found


def ours(found: Mapping[str, Any]) -> dict[str, float | None]:
    """Our metrics of what was known when Lighthouse's trace ended."""
    zero_ms, first_byte_ms = found["committed"]
    entries = entries_of(found["answer"], zero_ms=zero_ms)
    until_ms = float(found["theirs"]["observedTraceEnd"])
    entries = until(replace(entries, ttfb_ms=first_byte_ms), until_ms)
    requests = [(start, end) for start, end in found["requests"]]
    return browser_metrics(entries, requests, until_ms=until_ms) | {"dcl_ms": entries.dcl_end_ms}


def agree(name: str, our: float | None, their: float | None) -> bool:
    if our is None or their is None:
        return our is their
    return abs(our - their) <= (CLS if name == "cls" else max(MS, SHARE * their))


def formatted(name: str, value: float | None) -> str:
    return "unknown" if value is None else f"{value:.4f}" if name == "cls" else f"{value:.0f}"


def compared(recording: Path, stack: str) -> Sequence[str]:
    """The metrics that do not agree; prints a line."""
    found = observed(recording, stack)
    site = recording.name.removesuffix(".warc.gz")
    if found["theirs"] is None:
        print(f"  {site:10s} {stack:5s} Lighthouse says: {found['words']}", flush=True)
        return list(THEIRS)
    our = ours(found)
    their = {name: found["theirs"].get(key) for name, key in THEIRS.items()}
    apart = [name for name in THEIRS if not agree(name, our[name], their[name])]
    cells = [
        f"{name.removesuffix('_ms').upper()} {formatted(name, our[name])}/{formatted(name, their[name])}"
        + ("!" if name in apart else "")
        for name in THEIRS
    ]
    print(f"  {site:10s} {stack:5s} {'  '.join(cells)}", flush=True)
    return apart


def main() -> None:
    if os.geteuid() != 0:
        raise SystemExit("This bench needs root for network namespaces.")
    install()
    loads = [(recording, stack) for recording in recordings() for stack in STACKS]
    print(f"ours/Lighthouse's of the same {len(loads)} loads on {NETWORK}, in ms; ! is out of bounds")
    apart = [name for recording, stack in loads for name in compared(recording, stack)]
    print(f"{len(loads) * len(THEIRS) - len(apart)} of {len(loads) * len(THEIRS)} values agree within bounds")
    sys.exit(1 if apart else 0)


if __name__ == "__main__":
    main()
