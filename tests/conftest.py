"""Shared by all tests of this folder: signals, the order of files, and one platform per test process."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from demands import pytest_runtest_makereport, pytest_runtest_setup
from interrupts import accept_interrupts
from platform_process import Platform, running

__all__ = ["pytest_runtest_makereport", "pytest_runtest_setup"]

accept_interrupts()

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
# clips of one second
TINY = FIXTURES / "tiny-batch"
# clips of websites, captured, of three to nine seconds
SAMPLE = FIXTURES / "sample-batch"
# pytest-xdist gives a worker the next file when it has finished one: long files first, so that no worker ends alone
LONGEST_FIRST = (
    "test_flow.py",
    "test_screenshots.py",
    "test_play_faults.py",
    "test_faults.py",
    "test_killed.py",
    "test_erasure.py",
    "test_player.py",
    "test_session.py",
)


def pytest_configure(config: pytest.Config) -> None:
    if hasattr(config.option, "loadscopereorder"):
        # else pytest-xdist begins with the files that have most tests, which are not the longest
        config.option.loadscopereorder = False


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    order = {name: place for place, name in enumerate(LONGEST_FIRST)}
    items.sort(key=lambda item: order.get(item.path.name, len(order)))


@pytest.fixture(scope="session")
def batch() -> Path:
    """The tiny batch, which every platform here has."""
    return TINY


@pytest.fixture(scope="session")
def platform() -> Iterator[Platform]:
    """A platform for all tests of this process that leave it whole; each makes a study of its own."""
    with running() as started:
        started.push(TINY)
        yield started


@pytest.fixture(scope="session")
def real_clips(platform: Platform) -> Path:
    """The sample batch, pushed to the platform: for tests that need the time or the pictures of a real load."""
    platform.push(SAMPLE)
    return SAMPLE
