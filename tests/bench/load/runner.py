"""The bench itself: a platform of its own, participants, and what was promised about them."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.faults import stored
from bench.load.costs import platform_services
from bench.load.generator import orders
from bench.load.measured import Run, measure
from bench.load.person import NAMES
from bench.load.report import quantile, table
from bench.load.study import lengths_ms, publish
from platform_process import Platform, running

from eyelevel_core.study.design import ANSWER_S

P999_S, ALL_IN_S = 2.0, 120.0
# whether the play that ends a trial travels with its vote
JOINED = True


@dataclass
class Options:
    participants: int = 500
    arrive_s: float = 60.0
    trials: int = 10
    # the mean, by default what a study counts for an answer when it tells participants how long it takes; each thought
    # takes from half of it to one and a half times it
    think_s: float = float(ANSWER_S)
    quota: int = 6000
    seed: int = 1
    limit_s: float = 600.0
    runs: int = 1
    # files in an S3 store instead of a folder
    bucket: bool = False


@dataclass(frozen=True)
class Outcome:
    run: Run
    # what the database holds of what was sent
    stored: int
    broken: list[str]


def run(options: Options) -> list[Outcome]:
    """So many runs, each on a platform of its own."""
    outcomes = []
    for number in range(1, options.runs + 1):
        with fresh(trials=options.trials, quota=options.quota, bucket=options.bucket) as (platform, study):
            outcome = once(platform, study, options)
        print(summary(options, number, outcome), flush=True)
        outcomes.append(outcome)
    return outcomes


@contextmanager
def fresh(*, trials: int, quota: int, bucket: bool = False) -> Iterator[tuple[Platform, dict[str, Any]]]:
    """A platform with one published study."""
    with tempfile.TemporaryDirectory(prefix="eyl-load-") as scratch, running(bucket=bucket) as platform:
        yield platform, publish(platform, Path(scratch), trials=trials, quota=quota)


def participant_arguments(study: dict[str, Any], *, watch: bool, pages: bool) -> dict[str, Any]:
    """What a participant of the study needs to know, besides the pace."""
    slug = study["fieldings"][0]["slug"]
    return {"slug": slug, "lengths_ms": lengths_ms(), "watch": watch, "pages": pages, "joined": JOINED}


def once(platform: Platform, study: dict[str, Any], options: Options) -> Outcome:
    given = orders(options, "eyelevel", platform.url, participant_arguments(study, watch=True, pages=True))
    done = measure(lambda: given, platform.url, platform_services(platform.process.pid), NAMES)
    kept = {vote.id for vote in stored.in_database(platform, study["sha256"])}
    return Outcome(done, len(kept), broken(done, kept, options, stored.commit_settings(platform)))


def broken(done: Run, kept: set[str], options: Options, commit: dict[str, str]) -> list[str]:
    """Sentences on the bounds that a run does not keep."""
    found = [f"error: {sentence}" for sentence in done.errors]
    if done.unanswered:
        found.append(f"{done.unanswered} requests had no answer")
    if len(done.begun_s) < options.participants:
        found.append(f"only {len(done.begun_s)} of {options.participants} participants began")
    if max(done.begun_s, default=0.0) > ALL_IN_S:
        found.append(f"the last participant began after {max(done.begun_s):.0f} s; the bound is {ALL_IN_S:.0f} s")
    if done.finished < options.participants:
        found.append(f"only {done.finished} of {options.participants} participants finished")
    if not (slowest := quantile(done.all_s, 0.999)) < P999_S:
        found.append(f"p99.9 by the server's clock is {slowest:.2f} s; the bound is {P999_S:.0f} s")
    if kept != set(done.saved):
        found.append(f"{len(done.saved)} votes were sent, and {len(kept)} are stored")
    if set(commit.values()) != {"on"}:
        found.append(f"the database does not write to disk at once: {commit}")
    return found


def summary(options: Options, number: int, outcome: Outcome) -> str:
    done = outcome.run
    busy = ", ".join(f"{count} of {name}" for name, count in done.busy.items()) or "none"
    lines = [
        f"run {number}: {options.participants} participants within {options.arrive_s:.0f} s, {options.trials} trials, "
        f"thinking {options.think_s:.1f} s, places for {options.quota}",
        f"all in after {max(done.begun_s, default=float('nan')):.1f} s (bound {ALL_IN_S:.0f}); "
        f"finished: {done.finished}; votes stored: {outcome.stored} of {len(done.saved)}",
        f"429: {busy}; errors: {len(done.errors)}; repeated on a closed connection: {done.repeated}",
        table(done),
        *(f"NOT KEPT: {sentence}" for sentence in outcome.broken[:10]),
    ]
    return "\n".join(lines)
