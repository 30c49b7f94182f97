"""The sentinel: runs of one page that each machine films once a day, to compare machines.

They are runs of the campaign itself, with the same seeds, and do not count in comparisons of stacks.
"""

import uuid
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from eyelevel.capture.attempts.runner import Runner
from eyelevel.capture.attempts.this_machine import machine_name, this_machine
from eyelevel.capture.blocks.files import upload_file, upload_takes
from eyelevel.capture.blocks.film import Films
from eyelevel.capture.blocks.records import CampaignStore
from eyelevel.capture.resuming.resume import lines
from eyelevel_core.model.block_result import BlockResult
from eyelevel_core.model.campaign import Campaign
from eyelevel_core.model.run import Run


def sentinel_runs(campaign: Campaign, runs: Sequence[Run]) -> list[Run]:
    """Returns the first runs of the sentinel's site over the first network and stack; empty without a sentinel."""
    if campaign.sentinel is None:
        return []
    asked = (campaign.sentinel.site, campaign.networks[0], campaign.stacks[0], campaign.caches[0])
    matching = [run for run in runs if (run.site, run.network, run.stack, run.cache) == asked]
    return sorted(matching, key=lambda run: run.number)[: campaign.sentinel.runs]


def today() -> str:
    return f"{datetime.now(UTC):%Y%m%d}"


def film_sentinel(shared: CampaignStore, runs: Sequence[Run], films: Films) -> bool:
    """Film these runs and record their outcomes for this machine and day; returns False if they are recorded already.

    A void run is not repeated, because the next day has others.
    """
    day, machine = today(), this_machine()
    if shared.has_sentinel(machine.fingerprint, day):
        return False
    once = replace(films.context.campaign, max_attempts=1)
    context, batch = replace(films.ready(films.context), campaign=once), films.context.batch
    Runner(context, begin=films.begin, tell=films.tell, attempt=films.attempt).take_all([run] for run in runs)
    taken = [run for run in runs if batch.has_take(run)]
    calibration = batch.calibration_file
    shared.record_sentinel(
        day,
        BlockResult(
            id=uuid.uuid4().hex,
            block=f"sentinels/{machine.fingerprint}/{day}",
            attempt=1,
            name=machine_name(),
            machine=machine,
            ended_at=datetime.now(UTC).isoformat(timespec="seconds"),
            attempts=tuple(lines(batch)),
            takes=upload_takes(shared, batch, taken),
            calibration=upload_file(shared, calibration) if calibration.is_file() else None,
        ),
    )
    return True
