"""A site of a campaign or of the command line: its recording, page and viewport, and its motion mask."""

import re
from dataclasses import dataclass
from pathlib import Path

import click

from eyelevel.errors import BadInputError
from eyelevel.recording import chance_seed
from eyelevel_core.contracts import sha256_of_file
from eyelevel_core.model.mask import Mask
from eyelevel_core.model.take import Viewport

VIEWPORT = re.compile(r"([1-9]\d{1,4})x([1-9]\d{1,4})")


@dataclass(frozen=True)
class Site:
    """A site with its recording: `digest` is the SHA-256 of the WARC.

    `chance_seed` is the seed that the page was recorded with; None where the recording names none.
    """

    name: str
    recording: Path
    digest: str
    start_url: str | None
    chance_seed: int | None = None


def site_of(name: str, recording: Path, start_url: str | None) -> Site:
    """Raise BadInputError where the recording names a seed that is none."""
    return Site(name, recording.resolve(), sha256_of_file(recording), start_url, chance_seed(recording))


def site_of_file(recording: Path, start_url: str | None) -> Site:
    """The site of a recording that no campaign names, called like its file."""
    if not recording.is_file():
        raise BadInputError(f"{recording} does not exist; give the path of a recording (WARC).")
    name = recording.name.removesuffix(".gz").removesuffix(".warc")
    return site_of(name, recording, start_url)


def viewport_of(text: str) -> Viewport:
    """The size that an option gives."""
    found = VIEWPORT.fullmatch(text)
    if found is None:
        raise click.BadParameter(f"{text!r} is no size; give WIDTHxHEIGHT, e.g. 1280x720.", param_hint="--viewport")
    return Viewport(int(found[1]), int(found[2]))


@dataclass(frozen=True)
class SiteMask:
    """A mask and its file in the batch folder, whose name is the digest."""

    mask: Mask
    file: Path

    @property
    def digest(self) -> str:
        return self.file.stem
