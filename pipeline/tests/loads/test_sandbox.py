"""Finding the process that a sandbox is entered by."""

import asyncio
from asyncio.subprocess import PIPE

from eyelevel.loads.inside.sandbox import holder


async def holder_of(script: str) -> tuple[int | None, int]:
    """What is found, and the process that was looked at."""
    process = await asyncio.create_subprocess_exec("sh", "-c", script, stdin=PIPE)
    assert process.stdin is not None
    try:
        return await asyncio.wait_for(holder(process), 30), process.pid
    finally:
        process.stdin.close()
        await process.wait()


def test_a_shell_that_takes_its_time_to_become_cat_is_waited_for() -> None:
    pid, started = asyncio.run(holder_of("sleep 0.3; exec cat"))
    assert pid == started


def test_it_may_be_a_child_of_a_child() -> None:
    pid, started = asyncio.run(holder_of("sh -c 'cat; true' <&0; true"))
    assert pid is not None
    assert pid != started


def test_nothing_is_waited_for_once_the_testbed_has_ended() -> None:
    assert asyncio.run(holder_of("exit 3"))[0] is None
