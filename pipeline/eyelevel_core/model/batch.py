"""A batch as its manifest describes it: takes, clips, files. Contract batch.1."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from eyelevel_core.model.device import DESKTOP, Viewport
from eyelevel_core.model.metrics import MetricValues
from eyelevel_core.model.record import Record, left_out_at_default
from eyelevel_core.model.take import Definition, FileEntry


@dataclass(frozen=True)
class CampaignName(Record):
    """`sha256` is the digest of campaign.toml."""

    name: str
    sha256: str
    seed: int


@dataclass(frozen=True)
class SiteName(Record):
    """`recording` is the SHA-256 of the WARC, `device` the name of a device profile."""

    name: str
    recording: str
    start_url: str
    device: str = left_out_at_default(DESKTOP.name)


@dataclass(frozen=True)
class ListedTake(Record):
    """A take in the batch; `not_shown` says why no clip shows it."""

    digest: str
    path: str
    site: str
    network: str
    stack: str
    run: int
    outcome: str
    metrics: MetricValues
    cache: str = "cold"
    not_shown: str | None = left_out_at_default(None)


@dataclass(frozen=True)
class ClipSubject(Record):
    """The content of a made or planned clip: one take, or two of one site and network, left then right.

    `takes` are digests. `run` is that of the stack that the campaign names first. `delays_ms` has a delay per side of a
    control clip.
    """

    kind: str
    site: str
    network: str
    run: int
    takes: tuple[str, ...]
    stacks: tuple[str, ...]
    audience: str = "participant"
    purpose: str = "study"
    role: str | None = None
    runs: tuple[int, ...] | None = None
    delays_ms: tuple[float, ...] | None = left_out_at_default(None)


@dataclass(frozen=True, kw_only=True)
class Clip(ClipSubject):
    """A video. `start_ms` is the moment of the clip at which navigation starts.

    `metrics` has those of each take on the clip's frames, `measured` those measured in the encoded clip, both in ms
    since navigation start; in a clip that was `cut`, later ones are null. `moving`: None where unknown. `pixel_ratio`
    is the number of its pixels per CSS pixel of the page.
    """

    sha256: str
    path: str
    width_px: int
    height_px: int
    duration_ms: float
    frame_rate: float
    start_ms: float | None = None
    quantizer: int | None = None
    cut: bool = left_out_at_default(False)
    moving: bool | None = None
    metrics: tuple[MetricValues, ...] | None = left_out_at_default(None)
    measured: tuple[MetricValues, ...] | None = left_out_at_default(None)
    agrees_by_colours: tuple[str, ...] | None = left_out_at_default(None)
    last_pictures_ssim: float | None = left_out_at_default(None)
    last_pictures_differ: bool | None = left_out_at_default(None)
    pixel_ratio: float = left_out_at_default(1)

    @property
    def own_size(self) -> Viewport:
        """The size at which the page was captured, in CSS pixels: the largest at which the clip is shown."""
        return Viewport(round(self.width_px / self.pixel_ratio), round(self.height_px / self.pixel_ratio))


@dataclass(frozen=True, kw_only=True)
class LeftOutClip(ClipSubject):
    """A planned clip that is not in the batch, with the reason."""

    why: str


@dataclass(frozen=True)
class Manifest(Record):
    """`files` are by path inside the batch folder; `showing` are the rules by which clips were made."""

    CONTRACT: ClassVar[str] = "eyelevel/batch/1"

    campaign: CampaignName
    sites: tuple[SiteName, ...]
    networks: tuple[Definition, ...]
    stacks: tuple[Definition, ...]
    takes: tuple[ListedTake, ...]
    clips: tuple[Clip, ...]
    files: Mapping[str, FileEntry]
    tools: Mapping[str, str | None]
    showing: Mapping[str, object] | None = left_out_at_default(None)
    left_out: tuple[LeftOutClip, ...] = left_out_at_default(())
