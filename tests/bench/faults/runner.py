"""The bench itself: a platform of its own, participants, faults, and the comparison."""

import asyncio
import json
import random
import re
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import yaml
from bench.faults import stored
from bench.faults.chaos import SERVICES, Chaos
from bench.faults.ledger import Kind, Ledger, Stored, Verdict, judge
from bench.faults.participant import GaveUpError, Participant
from bench.faults.proxy import Plant, Proxy
from bench.faults.report import Arm, Outcome
from bench.faults.visitor import CYCLE, Visitor, visit
from platform_process import Platform, running

REPOSITORY = Path(__file__).resolve().parents[3]
SAMPLE = REPOSITORY / "fixtures" / "sample-batch"
LENGTHS_MS = {
    clip["sha256"]: clip["duration_ms"]
    for clip in json.loads((SAMPLE / "manifest.json").read_text(encoding="utf-8"))["clips"]
}
DEMO = yaml.safe_load((REPOSITORY / "fixtures" / "study-demo.yaml").read_text(encoding="utf-8"))
# the demo's control questions, by the trial that they come after
CONTROLS: dict[int, dict[str, Any]] = {question["after"]: question for question in DEMO["controls"]["questions"]}
HTTP_TRIALS, BROWSER_TRIALS = {"rate": 3, "compare": 2}, {"rate": 2, "compare": 1}
AT_ONCE = 32
# a person presses Begin again, and reloads a page: only what the page itself must cope with is disturbed there
ANYTHING = re.compile(rb"^(GET|PUT|POST) /api/(participate|session)|^GET /clips/")
BEHIND_THE_PAGE = re.compile(rb"^(PUT|POST) /api/session/|^GET /clips/")


@dataclass
class Options:
    sessions: int = 1000
    browsers: int = 20
    # kill -9 of each service while participants over HTTP are under way
    kills: int = 3
    seed: int = 1
    offline_s: float = 60.0
    # longer than a page waits for an answer
    asleep_s: float = 25.0
    think_s: float = 0.3
    ledger: Path | None = None
    # files in an S3 store instead of a folder
    bucket: bool = False
    lose: int = 0
    lose_plays: int = 0
    change: int = 0
    double: int = 0
    # each visitor's, in turn
    mishaps: tuple[tuple[str, ...], ...] = tuple((mishap,) for mishap in CYCLE)

    def mishaps_of(self, visitor: int) -> tuple[str, ...]:
        return self.mishaps[visitor % len(self.mishaps)]


@dataclass
class Bench:
    """Each way of taking part gives its comparison, to be made when all have taken part: verdicts take their time."""

    options: Options
    platform: Platform
    chaos: Chaos
    folder: Path
    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def http(self) -> Callable[[], Arm]:
        """All participants over HTTP, AT_ONCE at a time, while services are killed."""
        study = self._publish("faults-http", HTTP_TRIALS, quota=2 * self.options.sessions + 50)
        ledger = Ledger(stored.free_of(self.folder / "http.jsonl"))
        unfinished = asyncio.run(self._walk_all(study, ledger))
        for table in ("ratings_vote", "ratings_play") * self.options.double:
            stored.double_a_row(self.platform, table)
        return partial(self._arm, "over HTTP", study, ledger, self.options.sessions, unfinished)

    async def _walk_all(self, study: dict[str, Any], ledger: Ledger) -> list[str]:
        draw = random.Random(self.options.seed)
        proxy = self._proxy(draw, ANYTHING, late_s=8.0)
        proxy.plant = Plant(self.options.lose, self.options.lose_plays, self.options.change)
        await proxy.start()
        transport = httpx.AsyncHTTPTransport(verify=False, limits=httpx.Limits(max_keepalive_connections=0))
        turn, done, unfinished = asyncio.Semaphore(AT_ONCE), Counter[str](), []
        plan = [service for _ in range(self.options.kills) for service in SERVICES]

        async def walk(number: int) -> None:
            async with turn:
                # the first half of each share begins while a service is away, the other is under way at the next kill
                share, half = divmod(2 * number * len(plan) // self.options.sessions, 2)
                while done["well" if half else "killed"] < share:
                    await asyncio.sleep(0.05)
                client = httpx.AsyncClient(base_url=proxy.url, transport=transport, trust_env=False)
                mine = random.Random(f"{self.options.seed}/{number}")
                person = Participant(client, study["slug"], ledger, LENGTHS_MS, mine, self.options.think_s)
                try:
                    await person.walk()
                except (GaveUpError, KeyError, ValueError) as error:
                    unfinished.append(str(error) or type(error).__name__)
                done["sessions"] += 1

        # what the killer raises ends the bench: nobody would be well again for those who wait
        walks = [walk(number) for number in range(self.options.sessions)]
        try:
            await asyncio.gather(self._kill_on_the_way(plan, done), *walks)
            await proxy.settle()
        finally:
            await proxy.stop()
        self.counts += proxy.counts
        return unfinished

    async def _kill_on_the_way(self, plan: list[str], done: Counter[str]) -> None:
        """One service after the other, spread evenly over the sessions."""
        for number, service in enumerate(plan):
            while done["sessions"] < self.options.sessions * (number + 0.5) / len(plan):
                await asyncio.sleep(0.05)
            say(f"kill -9 of {service} after {done['sessions']} sessions")
            kill = await asyncio.to_thread(self.chaos.kill, service)
            done["killed"] += 1
            await asyncio.to_thread(self.chaos.wait_until_well, kill)
            done["well"] += 1

    def browsers(self) -> Callable[[], Arm]:
        """All visitors, two at a time."""
        study = self._publish("faults-browser", BROWSER_TRIALS, quota=2 * self.options.browsers + 10)
        ledger = Ledger(stored.free_of(self.folder / "browser.jsonl"))
        one_kill = threading.Lock()
        recoveries: list[Future[None]] = []

        def kill(service: str) -> None:
            say(f"kill -9 of {service} under a browser")
            with one_kill:
                # the visitor goes on at once, while the service is away
                recoveries.append(watch.submit(self.chaos.wait_until_well, self.chaos.kill(service)))

        with disturbing(self._proxy(random.Random(self.options.seed), BEHIND_THE_PAGE, late_s=25.0)) as proxy:

            def make(playwright: Any, number: int, profile: Path) -> Visitor:
                return Visitor(
                    playwright=playwright,
                    link=f"{proxy.url}/s/{study['slug']}",
                    trials=sum(BROWSER_TRIALS.values()),
                    mishaps=self.options.mishaps_of(number),
                    controls=CONTROLS,
                    ledger=ledger,
                    draw=random.Random(f"{self.options.seed}/browser/{number}"),
                    kill=kill,
                    offline_s=self.options.offline_s,
                    asleep_s=self.options.asleep_s,
                    profile=profile,
                )

            with ThreadPoolExecutor(len(CYCLE) * self.options.browsers) as watch, ThreadPoolExecutor(2) as pool:
                halves = [list(range(start, self.options.browsers, 2)) for start in (0, 1)]
                visitors = [item for done in pool.map(lambda half: visit(half, make), halves) for item in done]
            for recovery in recoveries:
                recovery.result()
        self.counts += proxy.counts
        unfinished = [sentence for _, sentence in visitors if sentence is not None]
        return partial(self._arm, "in browsers", study, ledger, self.options.browsers, unfinished)

    def _arm(self, name: str, study: dict[str, Any], ledger: Ledger, sessions: int, unfinished: list[str]) -> Arm:
        sha256 = study["sha256"]
        votes = stored.in_database(self.platform, sha256)
        codes = stored.codes_in_database(self.platform)
        self.faults += ledger.faults
        self.faults += [
            f"session {session} has another code"
            for session, code in ledger.codes.items()
            if codes.get(session) != code
        ]
        self.faults += [
            f"the {kind} {identifier} got {len(moments)} different receipts"
            for kind, receipts in ledger.receipts.items()
            for identifier, moments in receipts.items()
            if len(moments) > 1
        ]
        self.faults += [
            f"session {session} does not count as one that saw its films to their end (R1)"
            for session in stored.not_played(self.platform, sha256, ledger.codes)
        ]

        def compared(kind: Kind, rows: list[Stored]) -> Verdict:
            return judge(ledger.deeds[kind], ledger.receipts[kind], rows)

        return Arm(
            name=name,
            sessions=sessions,
            finished=len(ledger.codes),
            receipts=len(ledger.receipts["vote"]),
            votes={
                "votes in the database": compared("vote", votes),
                "votes in the export": compared("vote", stored.in_export(self.platform, sha256, votes=len(votes))),
            },
            besides={
                "plays": compared("play", stored.plays_in_database(self.platform, sha256)),
                "control answers": compared("control", stored.controls_in_database(self.platform, sha256)),
            },
            unfinished=unfinished,
        )

    def _publish(self, name: str, trials: dict[str, int], *, quota: int) -> dict[str, Any]:
        """A study like the demo's with so many trials and places."""
        study = DEMO | {"name": name, "quota": {"sessions": quota}, "session": {"resume": "resume"}}
        study["trials"] = [{"kind": kind, "count": count, "training": 0} for kind, count in trials.items()]
        file = self.folder / f"{name}.yaml"
        file.write_text(yaml.safe_dump(study, allow_unicode=True), encoding="utf-8")
        published = self.platform.publish(SAMPLE, file)
        return {"sha256": published["sha256"], "slug": published["fieldings"][0]["slug"]}

    def _proxy(self, draw: random.Random, disturbed: re.Pattern[bytes], *, late_s: float) -> Proxy:
        parts = urlsplit(self.platform.url)
        return Proxy((parts.hostname or "", parts.port or 80), draw, disturbed, late_s)


def run(options: Options) -> Outcome:
    """Start a platform, let everybody take part, compare, stop the platform."""
    with tempfile.TemporaryDirectory(prefix="eyl-faults-") as scratch:
        folder = options.ledger or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        with running(bucket=options.bucket) as platform:
            bench = Bench(options, platform, Chaos(platform), folder)
            comparisons = []
            if options.sessions:
                comparisons.append(bench.http())
            if options.browsers:
                comparisons.append(bench.browsers())
            arms = [compare() for compare in comparisons]
            commit = stored.commit_settings(platform)
        mishaps = Counter(mishap for number in range(options.browsers) for mishap in options.mishaps_of(number))
        return Outcome(arms, bench.faults, bench.counts, bench.chaos.back_s, commit, mishaps)


@contextmanager
def disturbing(proxy: Proxy) -> Iterator[Proxy]:
    """The proxy in a thread with a loop of its own, for participants who have none."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    asyncio.run_coroutine_threadsafe(proxy.start(), loop).result(10)
    try:
        yield proxy
    finally:
        asyncio.run_coroutine_threadsafe(proxy.stop(), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()


def say(sentence: str) -> None:
    print(f"  {sentence}", flush=True)
