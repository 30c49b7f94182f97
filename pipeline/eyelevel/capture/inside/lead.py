"""Shows an orange page, to check the clocks, and then a white one, before navigation."""

from playwright.async_api import Page

from eyelevel.capture.inside.film import Film
from eyelevel.capture.inside.frames import Frame
from eyelevel.capture.inside.request import ORANGE, WHITE, Cause, VoidError

# several frames: a bar or bubble that is on its way shows in them
STILL_MS = 120.0
LIMIT_MS = 15_000.0
# from the page's white to the first white frame: one paint and one tick of the film when the machine is free
WORST_ZERO_ERROR_MS = 250.0
PAINT = """colour => {
  document.documentElement.style.background = colour;
  return performance.timeOrigin + performance.now();
}"""


async def show_white(page: Page, film: Film, *, orange: str, white: str) -> None:
    """Show orange, then white, and wait until white stays; they are given by the hashes of such frames.

    VoidError if the screen is not wholly of these colours, or if the two clocks disagree.
    """
    await page.evaluate(PAINT, ORANGE)
    await _until(film, orange)
    told_ms = float(await page.evaluate(PAINT, WHITE))
    error_ms = (await _until(film, white)).time_ms - told_ms
    if not 0 <= error_ms <= WORST_ZERO_ERROR_MS:
        raise VoidError(Cause.CLOCKS_DISAGREE, f"the film shows white {error_ms:.0f} ms after the page turned white")
    await _until(film, white, for_ms=STILL_MS)


async def _until(film: Film, checksum: str, *, for_ms: float = 0) -> Frame:
    """The first of the frames that are like that for so long without a break."""
    start_ms = film.frames[-1].time_ms if film.frames else None
    first = None
    while True:
        latest = film.frames[-1] if film.frames else await film.next_frame()
        first = (first or latest) if latest.checksum == checksum else None
        if first is not None and latest.time_ms - first.time_ms >= for_ms:
            return first
        start_ms = latest.time_ms if start_ms is None else start_ms
        if latest.time_ms - start_ms > LIMIT_MS:
            raise VoidError(Cause.NOT_WHITE, "something covers the page: a bar, a bubble or a border")
        await film.next_frame()
