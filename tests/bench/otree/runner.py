"""Both in short turns, and their figures pair by pair."""

import math
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise
from statistics import fmean, geometric_mean, stdev
from typing import Any

from bench.faults import stored
from bench.load import person, runner
from bench.load.caller import Names
from bench.load.costs import platform_services, processor_seconds
from bench.load.generator import orders
from bench.load.measured import Run, generate, measure
from bench.load.report import merged, quantile, table
from bench.otree import server, subject
from scipy.stats import t as student

# the ids of answers come from the seed
UNUSED_SEEDS = 1_000_000
# for what a server does after its first answers
SETTLED_S = 5.0


@dataclass
class Options:
    participants: int = 25
    arrive_s: float = 1.0
    rounds: int = 10
    think_s: float = 0.0
    pairs: int = 12
    seed: int = 1
    limit_s: float = 300.0


@dataclass
class Side:
    """One of both, with its servers running, and its turns so far."""

    name: str
    url: str
    services: dict[str, list[int]]
    names: Names
    saving: str
    # makes participants, if the server wants that, and gives what the generator needs to know about them
    prepare: Callable[[int], dict[str, Any]]
    kept: Callable[[], int]
    commit: Callable[[], dict[str, str]]
    turns: list[Run] = field(default_factory=list)
    # processor seconds of all services at the beginning of each turn, and at the end of all
    used_s: list[float] = field(default_factory=list)
    warm: int = 0

    @property
    def peer(self) -> str:
        return self.name.lower()

    def read_meter(self) -> None:
        self.used_s.append(sum(processor_seconds(self.services).values()))

    def warm_up(self, options: Options) -> None:
        """Let one participant go before all others, so that what a server loads once is not measured."""
        alone = replace(options, participants=1, arrive_s=0.0, think_s=0.0, seed=options.seed + UNUSED_SEEDS)
        self.warm = len(generate(orders(alone, self.peer, self.url, self.prepare(1)))["saved"])

    def take_turn(self, options: Options) -> None:
        self.read_meter()

        def prepared() -> Any:
            return orders(options, self.peer, self.url, self.prepare(options.participants))

        self.turns.append(measure(prepared, self.url, self.services, self.names))

    def faults(self, options: Options) -> list[str]:
        """Sentences on what is not as it has to be."""
        found = [f"{self.name}: {sentence}" for turn in self.turns for sentence in turn.errors]
        saved, kept, commit = sum(len(turn.saved) for turn in self.turns), self.kept() - self.warm, self.commit()
        if not kept == saved >= options.participants * options.rounds * options.pairs:
            found.append(f"{self.name}: {saved} answers were sent, and {kept} are stored")
        if set(commit.values()) != {"on"}:
            found.append(f"{self.name}: its database does not write to disk at once: {commit}")
        return found


@dataclass(frozen=True)
class Figures:
    """Of one side: answers and requests for a core-second in each turn, and how long each saving took."""

    answers: list[float]
    requests: list[float]
    saving_s: list[float]

    @property
    def p99_s(self) -> float:
        return quantile(self.saving_s, 0.99)


@dataclass(frozen=True)
class Ratio:
    """Eyelevel's over oTree's: the geometric mean over the pairs, and its interval of 95 %."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Outcome:
    """`faults`: sentences on what went wrong."""

    otree: Figures
    eyelevel: Figures
    faults: list[str]

    @property
    def ok(self) -> bool:
        faster = self.eyelevel.p99_s < self.otree.p99_s
        return not self.faults and faster and ratio(self.otree.answers, self.eyelevel.answers).low >= 1


def run(options: Options) -> Outcome:
    """Both on a database of their own, in turn; who is first changes from pair to pair."""
    server.install()
    with ExitStack() as stack:
        sides = [stack.enter_context(otree(options)), stack.enter_context(eyelevel(options))]
        for side in sides:
            side.warm_up(options)
        time.sleep(SETTLED_S)
        for number in range(options.pairs):
            for side in sides if number % 2 == 0 else reversed(sides):
                side.take_turn(replace(options, seed=options.seed + number))
            print(f"pair {number + 1} of {options.pairs}", flush=True)
        time.sleep(SETTLED_S)
        for side in sides:
            side.read_meter()
            print(f"\n{side.name}\n{table(merged(side.turns))}", flush=True)
        faults = [sentence for side in sides for sentence in side.faults(options)]
        return Outcome(figures_of(sides[0]), figures_of(sides[1]), faults)


@contextmanager
def otree(options: Options) -> Iterator[Side]:
    with server.running(options.rounds) as peer:

        def prepare(count: int) -> dict[str, Any]:
            return {"join": peer.make_participants(count), "rounds": options.rounds}

        yield Side(
            "oTree", peer.url, peer.services, subject.NAMES, subject.SAVING, prepare, peer.stored, peer.commit_settings
        )


@contextmanager
def eyelevel(options: Options) -> Iterator[Side]:
    quota = 2 * options.participants * options.pairs
    with runner.fresh(trials=options.rounds, quota=quota) as (platform, study):
        arguments = runner.participant_arguments(study, watch=False, pages=False)
        yield Side(
            "Eyelevel",
            platform.url,
            platform_services(platform.process.pid),
            person.NAMES,
            person.SAVING,
            lambda _count: arguments,
            lambda: len(stored.in_database(platform, study["sha256"])),
            lambda: stored.commit_settings(platform),
        )


def figures_of(side: Side) -> Figures:
    """What the services do until their next turn begins, as analyses, counts for the turn before."""
    spent = [after - before for before, after in pairwise(side.used_s)]
    return Figures(
        answers=[len(turn.saved) / core_s for turn, core_s in zip(side.turns, spent, strict=True)],
        requests=[turn.requests / core_s for turn, core_s in zip(side.turns, spent, strict=True)],
        saving_s=list(chain.from_iterable(turn.server_s.get(side.saving, []) for turn in side.turns)),
    )


def ratio(otree: list[float], eyelevel: list[float]) -> Ratio:
    """Of values in pairs, by Student's t of their logarithms; NaN bounds for a single pair."""
    logs = [math.log(ours / theirs) for theirs, ours in zip(otree, eyelevel, strict=True)]
    mean = fmean(logs)
    if len(logs) < 2:
        return Ratio(math.exp(mean), math.nan, math.nan)
    half = float(student.ppf(0.975, len(logs) - 1)) * stdev(logs) / math.sqrt(len(logs))
    return Ratio(*(math.exp(value) for value in (mean, mean - half, mean + half)))


def compared(outcome: Outcome) -> str:
    theirs, ours = outcome.otree, outcome.eyelevel
    lines = [f"{'':32}{'oTree':>10}{'Eyelevel':>10}{'ratio':>8}{'of 95 %':>16}   {len(ours.answers)} pairs"]
    for word, name, bound in (
        ("saved answers per core-second", "answers", "bound: interval from 1, goal 1.5"),
        ("requests per core-second", "requests", "no bound"),
    ):
        their, our = getattr(theirs, name), getattr(ours, name)
        found = ratio(their, our)
        interval = f"{found.low:.2f} to {found.high:.2f}"
        means = "".join(f"{value:10.1f}" for value in (geometric_mean(their), geometric_mean(our)))
        lines.append(f"{word:32}{means}{found.mean:8.2f}{interval:>16}   {bound}")
    p99 = f"{1000 * theirs.p99_s:10.1f}{1000 * ours.p99_s:10.1f}{ours.p99_s / theirs.p99_s:8.2f}"
    lines.append(f"{'p99 of saving, ms':32}{p99}{'':16}   bound below 1")
    return "\n".join(lines)
