"""Both in turn, and their figures side by side."""

import statistics
import time
from dataclasses import dataclass, replace
from typing import Any

from bench.faults import stored
from bench.load import person, runner
from bench.load.costs import platform_services
from bench.load.generator import Orders, orders
from bench.load.measured import Run, generate, measure
from bench.load.report import quantile, table
from bench.otree import server, subject

# the ids of answers come from the seed
UNUSED_SEEDS = 1_000_000
# for an analysis after the first answers
SETTLED_S = 5.0


@dataclass
class Options:
    participants: int = 100
    arrive_s: float = 5.0
    rounds: int = 10
    think_s: float = 0.0
    turns: int = 3
    seed: int = 1
    limit_s: float = 300.0


@dataclass(frozen=True)
class Figures:
    """Of one run of one of both."""

    answers: float
    requests: float
    p99_s: float


@dataclass
class Outcome:
    """`faults`: sentences on what went wrong."""

    figures: dict[str, list[Figures]]
    faults: list[str]

    @property
    def ok(self) -> bool:
        ratio = ratios(self.figures)
        return not self.faults and ratio["answers"] >= 1 and ratio["p99_s"] < 1


def run(options: Options) -> Outcome:
    """Both in turn, each time on a fresh database."""
    server.install()
    outcome = Outcome({"oTree": [], "Eyelevel": []}, [])
    for turn in range(options.turns):
        # who is first changes, so that a machine that gets slower favours nobody
        for name in sorted(outcome.figures, reverse=turn % 2 == 0):
            done = (otree if name == "oTree" else eyelevel)(options, outcome.faults)
            outcome.faults += [f"{name}: {sentence}" for sentence in done.errors]
            print(f"turn {turn + 1}, {name}\n{table(done)}\n", flush=True)
            outcome.figures[name].append(figures_of(done, subject.SAVING if name == "oTree" else person.SAVING))
    return outcome


def otree(options: Options, faults: list[str]) -> Run:
    with server.running(options.rounds) as peer:

        def prepared() -> Orders:
            join = peer.make_participants(options.participants)
            return orders(options, "otree", peer.url, {"join": join, "rounds": options.rounds})

        warm = walked_through(options, "otree", peer.url, {"join": peer.make_participants(1), "rounds": options.rounds})
        done = measure(prepared, peer.url, peer.services, subject.NAMES)
        faults += problems("oTree", options, done, kept=peer.stored() - warm, commit=peer.commit_settings())
        return done


def eyelevel(options: Options, faults: list[str]) -> Run:
    with runner.fresh(trials=options.rounds, quota=2 * options.participants) as (platform, study):
        own = runner.own(study, watch=False, pages=False)
        services = platform_services(platform.process.pid)
        warm = walked_through(options, "eyelevel", platform.url, own)
        done = measure(lambda: orders(options, "eyelevel", platform.url, own), platform.url, services, person.NAMES)
        kept = len(stored.in_database(platform, study["sha256"])) - warm
        faults += problems("Eyelevel", options, done, kept=kept, commit=stored.commit_settings(platform))
        return done


def walked_through(options: Options, peer: str, url: str, own: dict[str, Any]) -> int:
    """Let one participant go before all others, so that what a server loads once is not measured; their answers."""
    alone = replace(options, participants=1, arrive_s=0.0, think_s=0.0, seed=options.seed + UNUSED_SEEDS)
    told = generate(orders(alone, peer, url, own))
    time.sleep(SETTLED_S)
    return len(told["saved"])


def problems(name: str, options: Options, done: Run, *, kept: int, commit: dict[str, str]) -> list[str]:
    """Sentences on what is not as it has to be; `kept`: answers in the database."""
    found = []
    if not kept == len(done.saved) >= options.participants * options.rounds:
        found.append(f"{name}: {len(done.saved)} answers were sent, and {kept} are stored")
    if set(commit.values()) != {"on"}:
        found.append(f"{name}: its database does not write to disk at once: {commit}")
    return found


def figures_of(done: Run, saving: str) -> Figures:
    cost = done.core_seconds
    return Figures(len(done.saved) / cost, done.requests / cost, quantile(done.server_s.get(saving, []), 0.99))


def ratios(figures: dict[str, list[Figures]]) -> dict[str, float]:
    """Eyelevel's over oTree's, of the medians over all turns."""
    return {
        name: _median(figures["Eyelevel"], name) / _median(figures["oTree"], name)
        for name in ("answers", "requests", "p99_s")
    }


def compared(figures: dict[str, list[Figures]]) -> str:
    ratio = ratios(figures)
    words = {
        "answers": ("saved answers per core-second", "bound at least 1, goal 1.5"),
        "p99_s": ("p99 of saving, s", "bound below 1"),
        "requests": ("requests per core-second", "no bound"),
    }
    lines = [f"{'':32}{'oTree':>10}{'Eyelevel':>10}{'ratio':>8}   medians of {len(figures['oTree'])} turns"]
    for name, (word, bound) in words.items():
        both = "".join(f"{_median(figures[peer], name):10.3f}" for peer in ("oTree", "Eyelevel"))
        lines.append(f"{word:32}{both}{ratio[name]:8.2f}   {bound}")
    return "\n".join(lines)


def _median(found: list[Figures], name: str) -> float:
    return float(statistics.median(getattr(one, name) for one in found))
