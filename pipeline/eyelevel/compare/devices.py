"""Selection of the device of a comparison; takes of two device profiles are never compared together. Pure."""

from dataclasses import replace
from pathlib import Path

from eyelevel.compare.model import Batch
from eyelevel.errors import BadInputError
from eyelevel.report.words import listed
from eyelevel_core.model.device import DESKTOP, DEVICES


def on_device(batch: Batch, device: str | None, *, source: Path) -> Batch:
    """Returns the batch with only its takes on that device; `device` may be None if all takes are on one device.

    Raises BadInputError if it has takes on several devices and none is chosen, or no take on the chosen device.
    """
    present = [name for name in DEVICES if any(load.device.name == name for load in batch.loads)]
    if device is None and len(present) > 1:
        raise BadInputError(
            f"{source} has takes on {listed(present)}, which are not compared together; give --device {present[0]} or "
            f"--device {present[1]}."
        )
    if device is not None and present and device not in present:
        raise BadInputError(f"{source} has takes on {listed(present)} and none on {device}; give another --device.")
    chosen = device or next(iter(present), None)
    named = {planned.name for planned in batch.campaign.devices} | set(present)
    return batch if chosen is None or named == {chosen} else _only(batch, chosen)


def cost_unknown(batch: Batch, *, given: bool) -> str | None:
    """Returns a notice that the film's cost was measured on another device; None on a desktop, or if it is `given`."""
    other = [device.name for device in batch.campaign.devices if device != DESKTOP]
    if given or not other:
        return None
    return (
        f"The film's cost in the detection floors was measured on a desktop; measure it with "
        f"tests/bench/film_cost.py --device {other[0]}, and give --film-cost."
    )


def _only(batch: Batch, device: str) -> Batch:
    loads = [load for load in batch.loads if load.device.name == device]
    sites = {load.site for load in loads}
    campaigns = [
        replace(
            campaign,
            sites=tuple(site for site in campaign.sites if site.device.name == device),
            viewport=DEVICES[device].page(campaign.viewport),
        )
        for campaign in (batch.campaign, *batch.campaigns)
    ]
    sites |= {site.name for campaign in campaigns for site in campaign.sites}
    return replace(
        batch,
        campaign=campaigns[0],
        campaigns=tuple(campaigns[1:]),
        loads=loads,
        attempts=None
        if batch.attempts is None
        else [attempt for attempt in batch.attempts if attempt.name.site in sites],
        checks={site: check for site, check in batch.checks.items() if site in sites},
    )
