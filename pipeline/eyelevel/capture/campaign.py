"""Campaign file: read strictly, with defaults applied and its recordings found."""

import tomllib
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from warcio.archiveiterator import ArchiveIterator

from eyelevel.errors import BadInputError
from eyelevel_core.contracts import sha256_of_file
from eyelevel_core.model.campaign import Campaign, CampaignSite

# the date of a recording that has none: the day of the paper
ELSE = datetime(2019, 7, 22, tzinfo=UTC)


@dataclass(frozen=True)
class Site:
    """A site with its recording: `digest` is the SHA-256 of the WARC."""

    name: str
    recording: Path
    digest: str
    start_url: str | None


@dataclass(frozen=True)
class CampaignFile:
    """A campaign, where its file is, and its sites with their recordings."""

    path: Path
    campaign: Campaign
    sites: tuple[Site, ...]


def read_campaign(path: Path, recordings: Path | None) -> CampaignFile:
    """Recordings are looked up relative to the campaign file, then in the folder `recordings`.

    Raise BadInputError or ContractError, with a sentence that names the culprit.
    """
    try:
        value = tomllib.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise BadInputError(f"{path} cannot be read as a campaign: {error}.") from error
    campaign = Campaign.of(value, source=str(path))
    found = [(site, _find(site, path, recordings)) for site in campaign.sites]
    missing = [site for site, recording in found if recording is None]
    if missing:
        raise BadInputError(_missing(missing, path, recordings))
    sites = tuple(_site(site, recording) for site, recording in found if recording is not None)
    return CampaignFile(path, campaign, sites)


def _site(site: CampaignSite, recording: Path) -> Site:
    return Site(site.name, recording.resolve(), sha256_of_file(recording), site.start_url)


def _find(site: CampaignSite, path: Path, recordings: Path | None) -> Path | None:
    return next((place for place in _places(site, path, recordings) if place.is_file()), None)


def _places(site: CampaignSite, path: Path, recordings: Path | None) -> list[Path]:
    return [path.parent / site.recording, *([recordings / site.recording] if recordings else [])]


def _missing(sites: list[CampaignSite], path: Path, recordings: Path | None) -> str:
    first, others = sites[0], len(sites) - 1
    looked = " nor ".join(str(place) for place in _places(first, path, recordings))
    more = f", and {others} other recordings are missing, too" if others else ""
    return (
        f"{path}: the recording {first.recording!r} of site {first.name!r} is not at {looked}{more}; "
        "give their folder with --recordings."
    )


def recorded_at_ms(recording: Path) -> int:
    """The date of the first response, in milliseconds since 1970, in whole seconds."""
    with recording.open("rb") as file:
        for record in ArchiveIterator(file):
            date = record.rec_headers.get_header("WARC-Date")
            if record.rec_type == "response" and date:
                return int(datetime.fromisoformat(date).timestamp()) * 1000
    return int(ELSE.timestamp()) * 1000
