"""Reader of campaign files: parses strictly, applies defaults, and locates the recordings."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from eyelevel.errors import BadInputError
from eyelevel.loads.site import Site, site_of
from eyelevel_core.model.campaign import Campaign, CampaignSite


@dataclass(frozen=True)
class CampaignFile:
    """A campaign, the path of its file, and its sites with their recordings."""

    path: Path
    campaign: Campaign
    sites: tuple[Site, ...]


def read_campaign(path: Path, recordings: Path | None) -> CampaignFile:
    """Reads a campaign file; looks for recordings relative to the file, then in the folder `recordings`.

    Raises BadInputError or ContractError with a message that names the wrong value.
    """
    try:
        value = tomllib.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise BadInputError(f"{path} cannot be read as a campaign: {error}.") from error
    campaign = Campaign.of(value, source=str(path))
    recorded = [(site, _find(site, path, recordings)) for site in campaign.sites]
    missing = [site for site, recording in recorded if recording is None]
    if missing:
        raise BadInputError(_missing(missing, path, recordings))
    sites = tuple(
        site_of(site.name, recording, site.start_url, site.device)
        for site, recording in recorded
        if recording is not None
    )
    return CampaignFile(path, campaign, sites)


def _find(site: CampaignSite, path: Path, recordings: Path | None) -> Path | None:
    return next((place for place in _places(site, path, recordings) if place.is_file()), None)


def _places(site: CampaignSite, path: Path, recordings: Path | None) -> list[Path]:
    return [path.parent / site.recording, *([recordings / site.recording] if recordings else [])]


def _missing(sites: list[CampaignSite], path: Path, recordings: Path | None) -> str:
    first, further = sites[0], len(sites) - 1
    looked = " nor ".join(str(place) for place in _places(first, path, recordings))
    more = f", and {further} other recordings are also missing" if further else ""
    return (
        f"{path}: the recording {first.recording!r} of site {first.name!r} is not at {looked}{more}; "
        "give their folder with --recordings."
    )
