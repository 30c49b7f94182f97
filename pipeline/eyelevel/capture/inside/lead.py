"""Before navigation: an orange page to check the clocks by, then a white one for people to start from."""

from playwright.async_api import Page

from eyelevel.capture.inside.film import Film
from eyelevel.capture.inside.request import Cause, VoidError

# several frames: a bar or bubble that is on its way shows in them
STILL_MS = 120.0
LIMIT_MS = 15_000.0
# from the page's white to the first white frame: one paint and one tick of the film when the machine is free
WORST_ZERO_ERROR_MS = 250.0
PAINT = """colour => {
  document.documentElement.style.background = colour;
  return performance.timeOrigin + performance.now();
}"""


async def show_white(page: Page, film: Film, *, white: str) -> None:
    """Show orange, then white.

    VoidError if the screen is not wholly white in the end, or if the two clocks disagree.
    """
    await page.evaluate(PAINT, "#ff8000")
    await _wait_until_still(film)
    orange = film.frames[-1].checksum
    told_ms = float(await page.evaluate(PAINT, "#ffffff"))
    while (latest := film.frames[-1]).checksum == orange:
        if latest.time_ms - told_ms > LIMIT_MS:
            raise VoidError(Cause.NOT_WHITE, "the orange page did not give way to the white one")
        await film.next_frame()
    await _wait_until_still(film)
    if film.frames[-1].checksum != white:
        raise VoidError(Cause.NOT_WHITE, "something covers the page: a bar, a bubble or a border")
    last_orange = max(i for i, frame in enumerate(film.frames) if frame.checksum == orange)
    error_ms = film.frames[last_orange + 1].time_ms - told_ms
    if not 0 <= error_ms <= WORST_ZERO_ERROR_MS:
        raise VoidError(Cause.CLOCKS_DISAGREE, f"the film shows white {error_ms:.0f} ms after the page turned white")


async def _wait_until_still(film: Film) -> None:
    start_ms = last_ms = (await film.next_frame()).time_ms
    checksum = film.frames[-1].checksum
    while (frame := await film.next_frame()).time_ms - last_ms < STILL_MS:
        if frame.checksum != checksum:
            checksum, last_ms = frame.checksum, frame.time_ms
        if frame.time_ms - start_ms > LIMIT_MS:
            raise VoidError(Cause.NOT_WHITE, "the screen did not come to rest before navigation")
