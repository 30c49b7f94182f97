"""Vote while an analysis runs and while an export is made: what participants feel of both.

    tests/bench/beside_analysis.py [--votes 100000] [--voters 8]

Starts a platform of its own in a temporary folder, and fills a study by SQL, as million_votes.py does. Voters answer
one video after the other with a pause of a second in between, and the time until each vote is saved is noted: with
nothing beside it, during the analysis of all votes, and during exports. Status 1 where p99 is beyond two seconds.
"""

import argparse
import statistics
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx

sys.path[0] = str(Path(__file__).resolve().parents[1])

from bench.faults.stored import connect  # noqa: E402 - found by the path above
from bench.load.study import publish  # noqa: E402
from bench.million_votes import (  # noqa: E402
    VOTES_PER_SESSION,
    fill,
    hold_analysis,
    researcher,
    study_version,
    vote,
)
from platform_process import Platform, running  # noqa: E402

from embedded.export_file import download_export  # noqa: E402

# places for all voters, who do not finish
TRIALS, QUOTA = 10, 6000
PAUSE_S = 1.0
ALONE_S = 60.0
# of the analysis, on a busy machine
LIMIT_S = 900.0
EXPORTS = 5
BOUND_S = 2.0


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--votes", type=int, default=100_000)
    parser.add_argument("--voters", type=int, default=8)
    options = parser.parse_args()
    slowest = 0.0
    with running() as platform, tempfile.TemporaryDirectory() as folder:
        study = publish(platform, Path(folder), trials=TRIALS, quota=QUOTA)
        hold_analysis(platform, study["sha256"])
        fill(platform, study, sessions=options.votes // VOTES_PER_SESSION)
        print(f"{options.votes} votes stored; {options.voters} people vote", flush=True)
        for name, beside in (("nothing", wait), ("an analysis", analyse), ("exports", export)):
            slowest = max(slowest, measure(platform, study, options.voters, name, beside))
    return 1 if slowest > BOUND_S else 0


def measure(
    platform: Platform, study: dict[str, Any], voters: int, name: str, beside: Callable[[Platform, str], str]
) -> float:
    """Print how long saving a vote took while `beside` ran; p99 in seconds."""
    over = threading.Event()
    with ThreadPoolExecutor(voters) as pool:
        voting = [pool.submit(vote_until, over, platform, study) for _ in range(voters)]
        begun = time.monotonic()
        try:
            state = beside(platform, study["sha256"])
        finally:
            over.set()
        took_s = time.monotonic() - begun
        times = [seconds for task in voting for seconds in task.result()]
    p99 = statistics.quantiles(times, n=100, method="inclusive")[98]
    figures = f"median {1000 * statistics.median(times):.0f}, p99 {1000 * p99:.0f}, slowest {1000 * max(times):.0f} ms"
    print(f"beside {name} ({state}{took_s:.0f} s): {len(times)} votes, {figures}", flush=True)
    return p99


def vote_until(over: threading.Event, platform: Platform, study: dict[str, Any]) -> list[float]:
    """How long the platform takes to store each vote of participants who come one after the other."""
    times: list[float] = []
    slug = study["fieldings"][0]["slug"]
    while not over.is_set():
        with httpx.Client(base_url=platform.url, timeout=60, trust_env=False) as client:
            session = begin(client, slug)
            for trial in session["trials"]:
                if over.wait(PAUSE_S):
                    break
                begun = time.monotonic()
                answer = client.put(f"/api/session/votes/{uuid.uuid4()}", json=vote(session, trial))
                times.append(time.monotonic() - begun)
                assert answer.is_success, answer.text
    return times


def begin(client: httpx.Client, slug: str) -> dict[str, Any]:
    """A session; tries again where many begin at once, as the page does."""
    screen = {"width_px": 1920, "height_px": 1080, "device_pixel_ratio": 1}
    body = {"language": "en", "consent_version": study_version(client, slug), "screen": screen}
    while (answer := client.post(f"/api/participate/{slug}/sessions", json=body)).status_code == 429:
        time.sleep(float(answer.headers.get("Retry-After", 1)))
    begun: dict[str, Any] = answer.raise_for_status().json()
    return begun


def wait(_platform: Platform, _study: str) -> str:
    time.sleep(ALONE_S)
    return ""


def analyse(platform: Platform, study: str) -> str:
    """Let the analysis go that was held back, and wait for its result."""
    with connect(platform) as connection:
        connection.execute("UPDATE analysis_analysisstate SET not_before = now() WHERE study_id = %s", [study])
    begun = time.monotonic()
    with researcher(platform) as client:
        while time.monotonic() - begun < LIMIT_S:
            results = client.get(f"/api/research/studies/{study}/results").raise_for_status().json()
            if results["snapshot"] is not None:
                return f"of {results['snapshot']['votes']} votes, "
            time.sleep(2)
    raise SystemExit(f"No analysis within {LIMIT_S:.0f} s.")


def export(platform: Platform, study: str) -> str:
    with researcher(platform) as client:
        sizes = [len(download_export(client, study, within_s=LIMIT_S)) for _ in range(EXPORTS)]
    return f"{EXPORTS} of {sizes[0] / 1e6:.0f} MB, "


if __name__ == "__main__":
    sys.exit(main())
