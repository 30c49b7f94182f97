"""Load one page in this namespace and film it: python -m eyelevel.capture.inside FOLDER.

FOLDER holds request.json; the testbed's EYELEVEL_ variables tell where the page is. Afterwards FOLDER holds the film
and what was seen, and the status is 0; or void.json with the cause, and the status is 75.
"""

import asyncio
import json
import os
import shutil
import sys
import traceback
from importlib.metadata import version
from pathlib import Path

from playwright.async_api import Error

from eyelevel.capture.inside import browser, results
from eyelevel.capture.inside.display import display
from eyelevel.capture.inside.film import film
from eyelevel.capture.inside.frames import Frame
from eyelevel.capture.inside.lead import show_white
from eyelevel.capture.inside.load import load
from eyelevel.capture.inside.marks import Marks
from eyelevel.capture.inside.request import Cause, LoadRequest, VoidError
from eyelevel.capture.inside.scratch import PLACE, make_scratch
from eyelevel.capture.inside.settle import Settling

VOID_STATUS = 75


async def capture(folder: Path) -> None:
    marks = Marks()
    request = LoadRequest.read(folder / "request.json")
    size = {"width_px": request.width_px, "height_px": request.height_px}
    profile = Path(PLACE) / "profile"  # in memory: no run waits for a disk, and nothing is left to remove
    given = browser.arguments(
        way=request.way,
        resolver_rules=os.environ["EYELEVEL_RESOLVER_RULES"],
        spki=os.environ["EYELEVEL_SPKI"],
        profile=profile,
        is_root=browser.running_as_root(),
        **size,
    )
    await make_scratch()  # after the variables that only the testbed sets
    kept = folder / "profile"  # of a visit before this one
    if kept.exists():
        shutil.copytree(kept, profile, symlinks=True)
    settling = Settling(request.quiet_ms)

    def on_frame(frame: Frame, differs: bool) -> None:
        if differs:
            settling.frame_changed(frame.time_ms)

    async with (
        browser.driver() as drive,
        display(**size) as screen,
        film(
            screen,
            frame_rate=request.frame_rate,
            path=folder / "film.mkv",
            watch=request.watch,
            on_frame=on_frame,
            **size,
        ) as running,
        browser.browser(
            drive,
            shutil.which("chromium") or "chromium",
            given,
            screen=screen,
            profile=profile,
            keep=request.keep_profile,
        ) as context,
    ):
        marks.reach("ready")
        browser_version = context.browser.version if context.browser else "unknown"
        await show_white(context.pages[0], running, orange=request.orange, white=request.white)
        await context.add_init_script(request.script)
        marks.reach("white")
        seen = await load(context, running, settling, request, url=os.environ["EYELEVEL_START_URL"], marks=marks)
    marks.reach("closed")
    results.write(
        folder,
        seen,
        running.frames,
        script=request.script,
        marks=marks.ms,
        frame_rate=request.frame_rate,
        browser_version=browser_version,
        browser_arguments=browser.without_place(given),
        creator_version=version("eyelevel"),
    )
    protocols = browser.WAYS[request.way].protocols
    results.check(seen, running.frames, protocols=protocols, frame_rate=request.frame_rate)
    if request.keep_profile:
        shutil.copytree(profile, kept, symlinks=True)


def main() -> None:
    folder = Path(sys.argv[1])
    try:
        asyncio.run(capture(folder))
    except VoidError as void:
        _void(folder, void.cause, void.detail)
    except (Error, OSError, TimeoutError, asyncio.CancelledError) as error:
        traceback.print_exc()
        _void(folder, Cause.PROCESS_DIED, f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}")


def _void(folder: Path, cause: Cause, detail: str) -> None:
    (folder / "void.json").write_text(json.dumps({"cause": cause, "detail": detail}))
    sys.exit(VOID_STATUS)


if __name__ == "__main__":
    main()
