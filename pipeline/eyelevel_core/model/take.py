"""A take: the stored result of one valid attempt at a run, as take.json describes it. Contract take.1."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from eyelevel_core.contracts import sha256_of_json
from eyelevel_core.model.device import Device, Viewport, device_of
from eyelevel_core.model.machine import Machine
from eyelevel_core.model.metrics import MetricValues
from eyelevel_core.model.record import Record, left_out_at_default
from eyelevel_core.model.run import RunName


@dataclass(frozen=True)
class Definition(Record):
    """A network or a stack: `digest` is the SHA-256 of the definition's canonical JSON."""

    name: str
    digest: str
    definition: Mapping[str, object] = field(default_factory=dict)


# of a screen with 60 frames a second, as viewers have: the unit in which errors of a film's times are judged
SCREEN_FRAME_MS = 1000 / 60


@dataclass(frozen=True)
class Film(Record):
    """The lossless film; times count from navigation start.

    `frames` counts the frames it holds: the screen in the beginning, and each picture that differs from the one before.
    `lost_changes` counts states of the screen that were not recorded, `unquiet_frames` frames that may be torn;
    `late_ms` is the latest fetch of a frame. `zero_error_ms` is the film's alignment error: its first change minus
    the browser's own first paint. `clock_error_ms` is the browser's clock minus the one that stamps frames, known to
    within `clock_bound_ms`.
    """

    path: str
    frames: int
    zero_error_ms: float | None
    lost_changes: int | None = None
    unquiet_frames: int | None = None
    late_ms: float | None = None
    end_ms: float | None = None
    clock_error_ms: float | None = None
    clock_bound_ms: float | None = None


@dataclass(frozen=True)
class Fidelity(Record):
    """Counts of answers to requests begun before load; all None where the load event did not come."""

    exact: int | None
    inexact: int | None
    missed: int | None
    before_load_digest: str | None
    equivalent: int | None


@dataclass(frozen=True)
class Provenance(Record):
    """The tools and files with which a take was made; versions by tool, None for a tool that prints none.

    `mask_digest` is the digest of the page's motion mask, `volatile_digest` the SHA-256 of the file of the recording's
    volatile parameters; None where it has none.
    """

    tools: Mapping[str, str | None]
    fonts_digest: str
    browser_arguments: tuple[str, ...]
    page_script_digest: str
    calibration_digest: str | None = None
    page_seed: int | None = None
    workers: int | None = None
    quiet_ms: float | None = None
    servers_by: str | None = None
    scheduler: str | None = None
    mask_digest: str | None = left_out_at_default(None)
    volatile_digest: str | None = left_out_at_default(None)
    machine: Machine | None = left_out_at_default(None)  # noqa: RUF009 - it makes a field


@dataclass(frozen=True)
class Pressure(Record):
    """Use of the processors, from navigation start until the page had nearly settled.

    Shares of the time of all processors: tasks outside the capture, the hypervisor (steal), the capture with its film,
    of that the run (servers, emulation, screen, browser), and what was prelaunched for following runs. Of the time
    that passed: while some, or all active, tasks of the run waited for a processor (pressure stall information). None
    where the kernel does not count it apart.
    """

    outside_share: float
    steal_share: float
    capture_share: float
    run_share: float | None
    prelaunched_share: float | None
    waiting_some_share: float | None
    waiting_full_share: float | None


@dataclass(frozen=True)
class PaintedElement(Record):
    """An element of the page: `selector` is None if it had left the document, `url` if it is not an image."""

    selector: str | None
    url: str | None
    size_px: float


@dataclass(frozen=True)
class FileEntry(Record):
    """Size and digest of a file, which is listed by its path inside a folder."""

    sha256: str
    bytes: int
    media_type: str | None = left_out_at_default(None)


@dataclass(frozen=True)
class Motion(Record):
    """Motion that never ends, from the page's mask and in this take.

    `animated` and `timed` are the mask's flags. `appeared_ms` has a time for each region of the mask, from which on it
    is frozen; None for one that never appeared, whose number (from 0) is in `region_missing`. `outside` are the tiles
    (column, row) outside the mask that moved in a take that did not settle.
    """

    animated: bool
    timed: bool
    appeared_ms: tuple[float | None, ...]
    region_missing: tuple[int, ...]
    outside: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Take(Record):
    """A take. `run` is the run's number, `attempt` the successful attempt; the contract describes the other fields.

    `given_up` is the browser's error where the navigation failed: an outcome of network and stack, without a page.
    `viewport` is in CSS pixels; `device` is None for a desktop.
    """

    CONTRACT: ClassVar[str] = "eyelevel/take/1"

    site: str
    recording: str
    start_url: str
    network: Definition
    stack: Definition
    cache: str
    run: int
    seed: int
    attempt: int
    outcome: str
    viewport: Viewport
    film: Film
    metrics: MetricValues
    settled_ms: float | None
    fidelity: Fidelity
    provenance: Provenance
    files: Mapping[str, FileEntry]
    timing_ms: Mapping[str, float | None] | None = None
    cpu_idle_share: float | None = None
    next_began_ms: float | None = None
    given_up: str | None = None
    motion: Motion | None = left_out_at_default(None)  # noqa: RUF009 - it makes a field
    lcp_element: PaintedElement | None = left_out_at_default(None)  # noqa: RUF009 - it makes a field
    pressure: Pressure | None = left_out_at_default(None)  # noqa: RUF009 - it makes a field
    device: Device | None = left_out_at_default(None)  # noqa: RUF009 - it makes a field

    @property
    def film_size(self) -> Viewport:
        """The size of the film in pixels of the film."""
        return device_of(self.device).film(self.viewport)

    @property
    def digest(self) -> str:
        """The identity of the take: the SHA-256 of take.json in canonical JSON."""
        return sha256_of_json(self.as_json())

    @property
    def name(self) -> RunName:
        """The run of this take."""
        return RunName(self.site, self.network.name, self.stack.name, self.run, self.cache)

    @property
    def settled(self) -> bool:
        """Whether the page settled; else it is censored: not settled within the limit, or the navigation failed."""
        return self.outcome == "settled"
