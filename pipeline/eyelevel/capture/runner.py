"""Takes all runs that are not taken yet, one after the other, and tells of each."""

import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from eyelevel.capture.attempt import Workshop, attempt
from eyelevel.capture.inside.request import VoidError
from eyelevel.capture.ledger import attempts_so_far, note
from eyelevel.capture.plan import Run

RETRIES = 3


@dataclass(frozen=True)
class Told:
    """What came of an attempt: a take, or a cause and whether the run is given up."""

    run: Run
    take: dict[str, Any] | None
    void: VoidError | None
    given_up: bool


def take_all(shop: Workshop, runs: Iterable[Run], *, begin: Callable[[Run], None], tell: Callable[[Told], None]) -> int:
    """Returns how many runs were given up after RETRIES void attempts more than the first."""
    shutil.rmtree(shop.bench, ignore_errors=True)  # what a killed command left
    earlier = attempts_so_far(shop.batch)
    given_up = 0
    try:
        for run in runs:
            begin(run)
            given_up += not _take(shop, run, earlier.get(run.path, 0), tell)
    finally:
        shutil.rmtree(shop.bench, ignore_errors=True)
    return given_up


def _take(shop: Workshop, run: Run, earlier: int, tell: Callable[[Told], None]) -> bool:
    site = next(site for site in shop.campaign.sites if site.name == run.site)
    for tries in range(RETRIES + 1):
        number = earlier + tries + 1
        try:
            take = attempt(shop, run, site, number)
        except VoidError as void:
            note(shop.batch, run, number, cause=void.cause, detail=void.detail)
            tell(Told(run, None, void, given_up=tries == RETRIES))
        else:
            note(shop.batch, run, number, cause=None, detail=None)
            tell(Told(run, take, None, given_up=False))
            return True
    return False
