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
    there = [name for name in DEVICES if any(load.device.name == name for load in batch.loads)]
    if device is None and len(there) > 1:
        raise BadInputError(
            f"{source} has takes on {listed(there)}, which are not compared together; give --device {there[0]} or "
            f"--device {there[1]}."
        )
    if device is not None and there and device not in there:
        raise BadInputError(f"{source} has takes on {listed(there)} and none on {device}; give another --device.")
    kept = device or next(iter(there), None)
    named = {one.name for one in batch.campaign.devices} | set(there)
    return batch if kept is None or named == {kept} else _only(batch, kept)


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
        attempts=None if batch.attempts is None else [one for one in batch.attempts if one.name.site in sites],
        checks={site: check for site, check in batch.checks.items() if site in sites},
    )
