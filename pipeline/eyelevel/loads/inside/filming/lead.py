"""Shows an orange page, to check the clocks, and then a white one, before navigation."""

import asyncio

from playwright.async_api import Page

from eyelevel.loads.inside.filming.film import Film
from eyelevel.loads.inside.filming.frames import Frame
from eyelevel.loads.inside.request import ORANGE, WHITE, Cause, VoidError

# by then, a bar or bubble that is about to appear is visible
STILL_MS = 120.0
LIMIT_MS = 15_000.0
# from the page's white to the white screen: one paint when the machine is free
WORST_ZERO_ERROR_MS = 250.0
PAINT = """colour => {
  document.documentElement.style.background = colour;
  return performance.timeOrigin + performance.now();
}"""


async def show_white(page: Page, film: Film, clear: asyncio.Event) -> None:
    """Shows orange, then white, and waits until white remains; tries again after `clear` if that failed before.

    Before `clear` another page is filmed, and this browser runs only on idle processors, so it may be too slow. Raises
    VoidError if the screen does not completely have these colours, or if the two clocks disagree.
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
    white_ms = float(await page.evaluate(PAINT, WHITE))
    error_ms = (await _until(film, WHITE)).time_ms - white_ms
    if not 0 <= error_ms <= WORST_ZERO_ERROR_MS:
        raise VoidError(Cause.CLOCKS_DISAGREE, f"the film shows white {error_ms:.0f} ms after the page turned white")
    await _until(film, WHITE, for_ms=STILL_MS)


async def _until(film: Film, colour: str, *, for_ms: float = 0) -> Frame:
    """The frame that completely has this colour, once it has been shown for `for_ms`."""
    start_ms = film.known_ms
    while True:
        latest = film.frames[-1]
        if latest.colour == colour and film.known_ms - latest.time_ms >= for_ms:
            return latest
        if film.known_ms - start_ms > LIMIT_MS:
            raise VoidError(Cause.NOT_WHITE, "something covers the page: a bar, a bubble or a border")
        await film.hear()
