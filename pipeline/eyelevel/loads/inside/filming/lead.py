"""Shows an orange page, to check the clocks, and then a white one, before navigation."""

import asyncio

from playwright.async_api import Page

from eyelevel.loads.inside.filming.film import Film
from eyelevel.loads.inside.filming.frames import Frame
from eyelevel.loads.inside.request import ORANGE, WHITE, Cause, VoidError

# a bar or bubble that is on its way shows by then
STILL_MS = 120.0
LIMIT_MS = 15_000.0
# from the page's white to the white screen: one paint when the machine is free
WORST_ZERO_ERROR_MS = 250.0
PAINT = """colour => {
  document.documentElement.style.background = colour;
  return performance.timeOrigin + performance.now();
}"""


async def show_white(page: Page, film: Film, clear: asyncio.Event) -> None:
    """Show orange, then white, and wait until white stays; once more when `clear` if that failed before.

    Before `clear` another page is filmed, and this browser runs only where nobody else wants to: it may be too slow.
    VoidError if the screen is not wholly of these colours, or if the two clocks disagree.
    """
    held_back = not clear.is_set()
    try:
        await _show_white(page, film)
    except VoidError:
        if not held_back:
            raise
        await clear.wait()
        await _show_white(page, film)


async def _show_white(page: Page, film: Film) -> None:
    await page.evaluate(PAINT, ORANGE)
    await _until(film, ORANGE)
    told_ms = float(await page.evaluate(PAINT, WHITE))
    error_ms = (await _until(film, WHITE)).time_ms - told_ms
    if not 0 <= error_ms <= WORST_ZERO_ERROR_MS:
        raise VoidError(Cause.CLOCKS_DISAGREE, f"the film shows white {error_ms:.0f} ms after the page turned white")
    await _until(film, WHITE, for_ms=STILL_MS)


async def _until(film: Film, colour: str, *, for_ms: float = 0) -> Frame:
    """The frame that is wholly of that colour, once it has stayed for so long."""
    start_ms = film.told_ms
    while True:
        latest = film.frames[-1]
        if latest.colour == colour and film.told_ms - latest.time_ms >= for_ms:
            return latest
        if film.told_ms - start_ms > LIMIT_MS:
            raise VoidError(Cause.NOT_WHITE, "something covers the page: a bar, a bubble or a border")
        await film.hear()
