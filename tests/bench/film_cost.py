"""Does the film slow the page down, and one stack more than another? PLT with and without it, per stack, in turn.

Each pair of runs is filmed once and not the other time, the stacks in turn. Bounds: per stack, PLT with the film at
most 1.15 times that without (geometric mean); between the arms of TCP+ and QUIC, and of the same with BBR, those ratios
differ by at most 10 %. Each is printed with its 95 % interval. `film_cost.py RUNS [STACK...]` takes that many pairs, of
these. Needs root, Chromium and ffmpeg.
"""

import asyncio
import os
import sys
import tempfile
from collections.abc import Sequence
from contextlib import AsyncExitStack
from math import exp, log
from pathlib import Path

from playwright.async_api import async_playwright

import testbed
from eyelevel.capture.command import WATCH
from eyelevel.capture.inside import autogroup, browser
from eyelevel.capture.inside.film import film
from eyelevel.capture.inside.request import COUNTED
from eyelevel.capture.inside.sandbox import PLACE, holding, sandbox
from eyelevel.capture.inside.session import USUAL
from eyelevel.capture.inside.watcher import watcher
from eyelevel.capture.stacks import stacks
from eyelevel.replay.binary import find_testbed
from eyelevel_stats.arms import Difference, difference

SIZE = {"width_px": 1280, "height_px": 720}
LOADED = "() => performance.getEntriesByType('navigation')[0].loadEventStart"
# the lead of a real run: the browser has come to rest, the film is well under way
REST_S = 1.0
STACKS = ("TCP", "TCP+", "TCP+BBR", "QUIC", "QUIC+BBR")
ARMS = (("QUIC", "TCP+"), ("QUIC+BBR", "TCP+BBR"))
SITE, NETWORK, FRAME_RATE = "garden", "DSL", 60
RUNS = 15
MOST = 1.15
BETWEEN = 1.10
LIMIT_S = 60


def plt_ms(stack: str, seed: int, *, filmed: bool) -> float:
    def once(command: Sequence[str]) -> float:
        with tempfile.TemporaryDirectory() as folder:
            return asyncio.run(asyncio.wait_for(load(command, stack, Path(folder), filmed=filmed), LIMIT_S))

    return testbed.valid(stack, holding(**SIZE), testbed.fixture(SITE, NETWORK), once, seed=seed)


async def load(command: Sequence[str], stack: str, folder: Path, *, filmed: bool) -> float:
    """PLT of one page load, as a campaign's runs are set up, with or without their film."""
    async with AsyncExitStack() as opened:
        enter = opened.enter_async_context
        drive = await enter(async_playwright())
        place = await enter(sandbox(command, log=folder / "talk.log", nice=autogroup.FIRST))
        profile = browser.Profile(PLACE / "profile", kept=folder / "none", keep=False)
        given = browser.arguments(
            way=stacks(find_testbed())[stack].way,
            resolver_rules=place.resolver_rules,
            spki=place.spki,
            profile=profile.path,
            is_root=True,
            **SIZE,
        )
        context = await enter(browser.browser(drive, place, given, folder=folder, profile=profile, nice=USUAL))
        shot = None
        if filmed:
            shot = await enter(
                film(
                    place.screen,
                    frame_rate=FRAME_RATE,
                    path=folder / "film.mkv",
                    watching=await enter(watcher(WATCH)),
                    counted=folder / COUNTED,
                    on_frame=lambda frame, differs: None,
                    enter=place.enter(bound=False),
                    **SIZE,
                )
            )
        await asyncio.sleep(REST_S)
        page = context.pages[0]
        await page.goto(place.start_url, wait_until="load")
        measured = float(await page.evaluate(LOADED))
        if shot is not None:
            await shot.stop()
    return measured


def log_ratio(stack: str, number: int) -> float:
    """Of one pair of runs; which comes first alternates."""
    times = {
        filmed: plt_ms(stack, number, filmed=filmed) for filmed in ((True, False) if number % 2 else (False, True))
    }
    return log(times[True] / times[False])


def told(found: Difference | None) -> tuple[float, str]:
    """A difference of logarithms as a factor, and in words."""
    if found is None or found.ci_low is None or found.ci_high is None:
        raise SystemExit("Too few runs; take two or more.")
    factor = exp(found.difference)
    return factor, f"{factor:.3f} times ({exp(found.ci_low):.3f} to {exp(found.ci_high):.3f})"


def against_none(ratios: Sequence[float]) -> Difference | None:
    return difference([(ratios, [0.0] * len(ratios))])


def main() -> None:
    if os.geteuid() != 0:
        raise SystemExit("This bench needs root for network namespaces.")
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else RUNS
    ratios: dict[str, list[float]] = {stack: [] for stack in sys.argv[2:] or STACKS}
    for number in range(1, runs + 1):
        for stack, own in ratios.items():
            own.append(log_ratio(stack, number))
    ok = True
    print(
        f"PLT of {SITE} on {NETWORK} with a film at {FRAME_RATE} frames a second over PLT without, {runs} pairs of runs"
    )
    for stack, own in ratios.items():
        factor, words = told(against_none(own))
        ok &= factor <= MOST
        print(f"  {stack:9s} {words} ({'within' if factor <= MOST else 'NOT within'} {MOST:g})")
    for new, reference in ARMS:
        if not {new, reference} <= set(ratios):
            continue
        factor, words = told(difference([(ratios[new], ratios[reference])]))
        within = max(factor, 1 / factor) <= BETWEEN
        ok &= within
        verdict = "within" if within else "NOT within"
        print(f"the film's cost over {new} against {reference}: {words} ({verdict} {BETWEEN:g})")
    sys.exit(0 if ok else 1)


if __name__ == "__main__":
    main()
