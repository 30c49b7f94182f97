"""A program that computes beside a page load: the run is void, and says why."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from eyelevel.capture.attempts.attempt import attempt
from eyelevel.loads.inside.request import Cause, VoidError
from tests.capture.single import prepared
from tests.loads.needs import needs_testbed

pytestmark = [needs_testbed, pytest.mark.root, pytest.mark.browser, pytest.mark.realtime]


@contextmanager
def busy() -> Iterator[None]:
    """As many programs as processors, each of which takes all it gets; not in this session, which has one weight."""
    command = [sys.executable, "-c", "while True: pass"]
    running = [subprocess.Popen(command, start_new_session=True) for _ in range(os.cpu_count() or 1)]
    try:
        yield
    finally:
        for process in running:
            process.kill()
            process.wait()


def test_a_run_beside_a_busy_program_is_void(tmp_path: Path) -> None:
    context, run = prepared(tmp_path)
    place = context.batch.take_folder(run)
    with closing(context.worker), busy():
        with pytest.raises(VoidError, match="others used") as caught:
            attempt(context, run, 1, place)
        assert caught.value.cause is Cause.MACHINE_BUSY
        assert not place.exists()
        # the same again, where the campaign allows it
        allowing = replace(context, campaign=replace(context.campaign, max_outside_share=1.0))
        taken = attempt(allowing, run, 2, place)
    assert taken.pressure is not None
    assert taken.pressure.outside_share > 0.2
    assert taken.pressure.capture_share > 0.05
