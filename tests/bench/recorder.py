"""The recorder by definition M5: no mixed frame, no change missed, exact times, and little processor time.

On screens of its own, without root. Four parts, each of which can be named:

flips      an X client paints the whole screen 10,000 times, one colour after the other; idle, and with every processor
           busy twice over. No frame is mixed; every state is recorded or counted as lost; idle at most 0.1 % are lost;
           a recorded time is at most 2 ms (median) and 16.7 ms (99th percentile) from when the client painted.
counter    Chromium shows another colour in each animation frame; idle and busy. Idle at most 0.1 % are missed. The way
           from script to screen is Chromium's: its median is shown, and errors are from that median.
cost       processor time on a still page (at most 2 % of a core) and on one with an endless animation as wide as the
           page (at most 15 %), beside ffmpeg's x11grab.
agreement  recorder and x11grab film the same loads on one screen; FVC, VC85, LVC and SI agree within a frame.

    tests/bench/recorder.py [--flips 10000] [--loads 5] [--seconds 20] [PART...]
"""

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from playwright.async_api import Page, async_playwright
from x11grab import Grabs, grabbed

from eyelevel.built import RECORDER
from eyelevel.loads.inside.browsing.chromium import looks
from eyelevel.loads.inside.filming.display import display
from eyelevel.loads.inside.filming.film import Film, encode, film
from eyelevel.loads.inside.filming.frames import Frame, losses
from eyelevel.measure.film import measure_film
from eyelevel.own_traffic import FEATURES_OFF, OWN_TRAFFIC_OFF

WIDTH_PX, HEIGHT_PX = 1280, 720
FRAME_MS = 1000 / 60
MOST_MISSED, MOST_MEDIAN_MS, MOST_P99_MS = 0.001, 2.0, FRAME_MS
MOST_STILL, MOST_MOVING = 0.02, 0.15
GRAB_RATES = (60, 30)
COUNTER_FRAMES = 1200
TICKS = os.sysconf("SC_CLK_TCK")

COUNTER = """count => new Promise(done => {
  const painted = [];
  const step = () => {
    const number = painted.length;
    document.documentElement.style.background = "#" + (0x100000 + number).toString(16);
    painted.push(performance.timeOrigin + performance.now());
    if (painted.length < count) requestAnimationFrame(step); else done(painted);
  };
  requestAnimationFrame(step);
})"""
STILL = "<body style='margin:0;background:#eee'><h1>A page that stands still</h1><p>Nothing moves.</p>"
MOVING = """<style>
  body { margin: 0; background: #fff; font: 20px serif }
  #band { height: 300px; background: repeating-linear-gradient(100deg, #246, #8ac 90px, #fc8 180px);
          background-size: 400% 100%; animation: slide 6s linear infinite }
  @keyframes slide { to { background-position: 400% 0 } }
</style><div id=band></div><p>The band above never rests.</p>"""
# boxes that come one after the other, as parts of a page do; the last one small, at the bottom
LOADING = """<style>body { margin: 0 } div { position: absolute; left: 0 }</style><script>
  const boxes = [[120, 0, 90, "#135"], [263, 120, 200, "#a42"], [391, 340, 150, "#3a6"], [702, 500, 120, "#c9a"],
                 [1044, 690, 30, "#222"]];
  for (const [ms, top, height, colour] of boxes) setTimeout(() => {
    const box = document.createElement("div");
    box.style = `top:${top}px;height:${height}px;width:${200 + ms}px;background:${colour}`;
    document.body.append(box);
  }, ms);
</script>"""


@contextmanager
def busy(wanted: bool) -> Iterator[None]:
    """Every processor twice over."""
    spinning = [
        subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(2 * (os.cpu_count() or 1) * wanted)
    ]
    try:
        yield
    finally:
        for process in spinning:
            process.kill()
            process.wait()


@asynccontextmanager
async def filmed(screen: str, folder: Path) -> AsyncIterator[Film]:
    async with film(
        screen,
        width_px=WIDTH_PX,
        height_px=HEIGHT_PX,
        changes=folder / "changes",
        on_change=lambda _: None,
    ) as running:
        yield running


@asynccontextmanager
async def page_on(screen: str, folder: Path) -> AsyncIterator[Page]:
    """Chromium on that screen, as a campaign's runs start it, but without a testbed."""
    size = f"--window-size={WIDTH_PX},{HEIGHT_PX}"
    root = ["--no-sandbox"] if os.geteuid() == 0 else []
    async with async_playwright() as drive:
        context = await drive.chromium.launch_persistent_context(
            folder / "profile",
            executable_path="/usr/bin/chromium",
            headless=False,
            args=[*OWN_TRAFFIC_OFF, f"--disable-features={','.join(FEATURES_OFF)}", *looks(1), size, *root],
            ignore_default_args=["--enable-automation"],
            no_viewport=True,
            env={**os.environ, "DISPLAY": screen},
        )
        try:
            yield context.pages[0]
        finally:
            await context.close()


def quantile(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def number_of(frame: Frame) -> int | None:
    """Which flip or animation frame it shows; None for what is none."""
    number = -1 if frame.colour is None else int(frame.colour[1:], 16) - 0x100000
    return number if 0 <= number < 0x0FFFFF - 0x000FFF else None


def tell_errors(errors_ms: Sequence[float]) -> bool:
    median_ms = statistics.median(abs(ms) for ms in errors_ms)
    p99_ms = quantile([abs(ms) for ms in errors_ms], 0.99)
    print(f"    error: median {median_ms:.2f} ms, 99th percentile {p99_ms:.2f} ms")
    return median_ms <= MOST_MEDIAN_MS and p99_ms <= MOST_P99_MS


async def flips(count: int, *, saturated: bool) -> bool:
    painter = RECORDER.built.parent / "examples" / "painter"
    if not painter.exists():
        raise SystemExit("The painter is not built; run make bench, or cargo build --release --examples.")
    with tempfile.TemporaryDirectory() as name:
        async with display(WIDTH_PX, HEIGHT_PX) as screen, filmed(screen, Path(name)) as running:
            with busy(saturated):
                painting = await asyncio.create_subprocess_exec(
                    painter, screen, f"{WIDTH_PX}x{HEIGHT_PX}", str(count), f"{FRAME_MS:.3f}", stdout=subprocess.PIPE
                )
                output, _ = await painting.communicate()
            await running.stop()
    painted = {int(each["colour"][1:], 16): each for each in map(json.loads, output.splitlines())}
    shown = running.frames[1:]
    mixed = sum(frame.colour is None for frame in shown)
    lost = losses(running.frames, running.end).lost
    known = ((frame, painted.get(int(frame.colour[1:], 16))) for frame in shown if frame.colour is not None)
    errors_ms = [frame.time_ms - (each["from_us"] + each["until_us"]) / 2000 for frame, each in known if each]
    how = "busy" if saturated else "idle"
    print(f"  flips, {how}: {count} painted, {len(shown)} recorded, {lost} lost, {mixed} mixed")
    accounted = len(shown) + lost == count
    if not accounted:
        print("    DO NOT ADD UP")
    good = tell_errors(errors_ms) and accounted and mixed == 0
    return good and (saturated or lost <= MOST_MISSED * count)


async def counter(*, saturated: bool) -> bool:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        async with (
            display(WIDTH_PX, HEIGHT_PX) as screen,
            page_on(screen, folder) as page,
            filmed(screen, folder) as running,
        ):
            await page.set_content("")  # its background alone
            await asyncio.sleep(1)
            with busy(saturated):
                painted: list[float] = await page.evaluate(COUNTER, COUNTER_FRAMES)
                await asyncio.sleep(0.5)
            await running.stop()
    seen = {number: frame for frame in running.frames if (number := number_of(frame)) is not None}
    ways_ms = [frame.time_ms - painted[number] for number, frame in seen.items() if number < len(painted)]
    missed = len(painted) - len(seen)
    way_ms = statistics.median(ways_ms)
    print(
        f"  counter, {'busy' if saturated else 'idle'}: {len(painted)} painted, {missed} missed "
        f"({losses(running.frames, running.end).lost} counted as lost); from script to screen {way_ms:.1f} ms"
    )
    good = tell_errors([ms - way_ms for ms in ways_ms])
    return saturated or (good and missed <= MOST_MISSED * len(painted))


def used_s(pid: int) -> float:
    """Processor time of a process with its threads and the children that it has waited for."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / TICKS


def screens() -> dict[int, float]:
    """Processor time of the X servers that this bench has started."""
    found = {}
    for path in Path("/proc").glob("[0-9]*"):
        try:
            fields = (path / "stat").read_text().rpartition(")")[2].split()
            if (path / "comm").read_text() == "Xvfb\n" and int(fields[1]) == os.getpid():
                found[int(path.name)] = used_s(int(path.name))
        except OSError:
            continue
    return found


async def share(pid: int | None, seconds: float) -> tuple[float, float]:
    """The shares of a core that a process and the screen use over that time."""
    before, screen = (used_s(pid) if pid else 0.0), sum(screens().values())
    await asyncio.sleep(seconds)
    after = used_s(pid) if pid else 0.0
    return (after - before) / seconds, (sum(screens().values()) - screen) / seconds


async def cost(name: str, content: str, seconds: float, most: float) -> bool:
    with tempfile.TemporaryDirectory() as where:
        folder = Path(where)
        async with display(WIDTH_PX, HEIGHT_PX) as screen, page_on(screen, folder) as page:
            await page.set_content(content)
            await asyncio.sleep(2)
            _, alone = await share(None, seconds)
            async with filmed(screen, folder) as running:
                ours, screens_share = await share(running._process.pid, seconds)
                changes = len(running.frames)
                await running.stop()
            size = (folder / "changes").stat().st_size
            print(
                f"  cost, {name}: recorder {ours:.1%} of a core, {changes / seconds:.0f} changes/s, "
                f"{size / seconds / 1e6:.2f} MB/s; screen {screens_share:.1%} (alone {alone:.1%}); bound {most:.0%}"
            )
            for rate in GRAB_RATES:
                async with grabbed(
                    screen, width_px=WIDTH_PX, height_px=HEIGHT_PX, frame_rate=rate, path=folder / "grabbed.mkv"
                ) as grabs:
                    theirs, screens_share = await share(grabs.process.pid, seconds)
                    await grabs.stop()
                print(f"    x11grab at {rate}: {theirs:.1%} of a core; screen {screens_share:.1%}")
    return ours <= most


async def load(page: Page, address: str, zero: list[float]) -> None:
    await page.goto("about:blank")
    await asyncio.sleep(0.5)
    await page.goto(address)
    zero.append(float(await page.evaluate("performance.timeOrigin")))
    await asyncio.sleep(2)


def metrics(path: Path, times_ms: Sequence[float], zero_ms: float) -> dict[str, Any]:
    return measure_film(path, [round(ms - zero_ms, 3) for ms in times_ms]).as_json()


async def agreement(number: int) -> bool:
    with tempfile.TemporaryDirectory() as where:
        folder = Path(where)
        (folder / "page.html").write_text(LOADING)
        zero: list[float] = []
        async with AsyncExitStack() as opened:
            screen = await opened.enter_async_context(display(WIDTH_PX, HEIGHT_PX))
            page = await opened.enter_async_context(page_on(screen, folder))
            ours = await opened.enter_async_context(filmed(screen, folder))
            theirs: Grabs = await opened.enter_async_context(
                grabbed(screen, width_px=WIDTH_PX, height_px=HEIGHT_PX, frame_rate=60, path=folder / "grabbed.mkv")
            )
            await load(page, f"file://{folder}/page.html", zero)
            await theirs.stop()
            await ours.stop()
        await encode(folder / "changes", folder / "film.mkv", pictures=len(ours.frames))
        recorded = metrics(folder / "film.mkv", [frame.time_ms for frame in ours.frames], zero[0])
        grabs = metrics(folder / "grabbed.mkv", theirs.shown_ms, zero[0])
    names = ("fvc_ms", "si_ms", "vc85_ms", "lvc_ms")
    pairs = ", ".join(f"{name[:-3]} {recorded[name]:.0f} and {grabs[name]:.0f}" for name in names)
    good = all(abs(recorded[name] - grabs[name]) <= FRAME_MS + 1 for name in names)
    print(f"  agreement, load {number}: {pairs} ms: {'agree' if good else 'DO NOT AGREE'}")
    return good


async def run(asked: argparse.Namespace) -> bool:
    good = True
    for part in asked.part or ("flips", "counter", "cost", "agreement"):
        if part == "flips":
            good &= await flips(asked.flips, saturated=False)
            good &= await flips(asked.flips, saturated=True)
        elif part == "counter":
            good &= await counter(saturated=False)
            good &= await counter(saturated=True)
        elif part == "cost":
            good &= await cost("still page", STILL, asked.seconds, MOST_STILL)
            good &= await cost("endless animation", MOVING, asked.seconds, MOST_MOVING)
        else:
            for number in range(1, asked.loads + 1):
                good &= await agreement(number)
    return good


def main() -> None:
    parser = argparse.ArgumentParser(description="The recorder by definition M5.")
    parser.add_argument("--flips", type=int, default=10_000)
    parser.add_argument("--loads", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("part", nargs="*", choices=["flips", "counter", "cost", "agreement", []])
    sys.exit(0 if asyncio.run(run(parser.parse_args())) else 1)


if __name__ == "__main__":
    main()
