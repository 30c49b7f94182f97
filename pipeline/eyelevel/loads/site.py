"""A site of a campaign or of the command line: its recording, page and viewport, and its motion mask."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import click

from eyelevel.errors import BadInputError
from eyelevel.recording import chance_seed
from eyelevel_core.contracts import sha256_of_file
from eyelevel_core.model.device import DESKTOP, DEVICES, PAGES, Device, Viewport
from eyelevel_core.model.mask import Mask

USUAL = Viewport(1280, 720)
VIEWPORT = re.compile(r"([1-9]\d{1,4})x([1-9]\d{1,4})")


# a command's function, which options are added to
Command = Callable[..., None]


@dataclass(frozen=True)
class Site:
    """A site with its recording: `digest` is the SHA-256 of the WARC.

    `chance_seed` is the seed of the page's random numbers that the recording stores, None if it stores none; `device`
    is the device that the page is loaded on.
    """

    name: str
    recording: Path
    digest: str
    start_url: str | None
    chance_seed: int | None = None
    device: Device = DESKTOP


def site_of(name: str, recording: Path, start_url: str | None, device: Device) -> Site:
    """Returns the site; raises BadInputError if the seed in the recording is invalid."""
    return Site(name, recording.resolve(), sha256_of_file(recording), start_url, chance_seed(recording), device)


def site_of_file(recording: Path, start_url: str | None, device: Device = DESKTOP) -> Site:
    """Returns the site of a recording outside campaigns, named after its file."""
    if not recording.is_file():
        raise BadInputError(f"{recording} does not exist; give the path of a recording (WARC).")
    name = recording.name.removesuffix(".gz").removesuffix(".warc")
    return site_of(name, recording, start_url, device)


def page_options(command: Command) -> Command:
    """Adds the options --viewport and --device: the size of the page, and the device that it is loaded on."""
    device = click.option(
        "--device",
        type=click.Choice(list(DEVICES)),
        default=DESKTOP.name,
        show_default=True,
        help="Device profile, as in a campaign. A phone has a fixed viewport.",
    )
    return click.option("--viewport", help="Page size on a desktop, as in a campaign.  [default: 1280x720]")(
        device(command)
    )


def page_of(viewport: str | None, device: str) -> tuple[Viewport, Device]:
    """Returns page size and device from the options; raises click.BadParameter or click.UsageError."""
    chosen = DEVICES[device]
    if viewport is None:
        return chosen.page(USUAL), chosen
    if device in PAGES:
        raise click.UsageError(
            f"--viewport does not apply with --device {device}, which has a fixed viewport; remove it."
        )
    return viewport_of(viewport), chosen


def viewport_of(text: str) -> Viewport:
    """Returns the viewport of an option WIDTHxHEIGHT; raises click.BadParameter."""
    match = VIEWPORT.fullmatch(text)
    if match is None:
        raise click.BadParameter(f"{text!r} is not a size; give WIDTHxHEIGHT, e.g. 1280x720.", param_hint="--viewport")
    return Viewport(int(match[1]), int(match[2]))


@dataclass(frozen=True)
class SiteMask:
    """A mask and its file in the batch folder, named by its digest."""

    mask: Mask
    file: Path

    @property
    def digest(self) -> str:
        return self.file.stem
