"""The capture worker's results of a page load: inside.json, and page.json if the page's content was requested."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from eyelevel.loads.inside.request import Cause, VoidError
from eyelevel_core.batch_folder.files import read_object
from eyelevel_core.comparability.boxes import Box
from eyelevel_core.contracts import ContractError
from eyelevel_core.model.metrics import MetricValues
from eyelevel_core.model.record import Record
from eyelevel_core.model.take import PaintedElement, Pressure


@dataclass(frozen=True)
class Observed(Record):
    """A load without its pictures and requests; times are in ms since navigation start, None for missing events.

    `given_up` is the browser's error if the navigation failed. `browser` has the browser's metrics by field, `marks`
    the moments of the run by name, in ms since 1970. `frames` to `clock_bound_ms` are as in a take's Film.
    """

    settled_ms: float | None
    load_ms: float | None
    given_up: str | None
    browser: MetricValues
    lcp_element: PaintedElement | None
    workers: int
    frames: int
    end_ms: float
    lost_changes: int
    late_ms: float
    unquiet_frames: int
    zero_error_ms: float | None
    clock_error_ms: float | None
    clock_bound_ms: float | None
    cpu_idle_share: float | None
    pressure: Pressure | None
    marks: Mapping[str, float]
    browser_version: str
    browser_arguments: tuple[str, ...]
    page_script_digest: str

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Reads it from a job's folder; raises VoidError if it is invalid."""
        return cls.of(read(folder / "inside.json"))


@dataclass(frozen=True)
class Element(Record):
    """An element that shows a URL: `box` is its part in the viewport, None if unknown.

    `kind` is image or media; `whole_px` is its total area.
    """

    url: str
    kind: str
    box: Box | None
    whole_px: float


@dataclass(frozen=True)
class Document(Record):
    """A frame's document: `box` is the frame's part in the viewport, `elements` have boxes in the page's pixels.

    `head_scripts` are scripts of its head that are neither async nor deferred, `blocking_scripts` those that blocked
    rendering according to the browser, `refused` scripts and style sheets that failed, and `unused` style sheets that
    do not apply: those of other media, alternate and disabled ones.
    """

    url: str
    box: Box
    elements: tuple[Element, ...] = ()
    head_scripts: tuple[str, ...] = ()
    blocking_scripts: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()


@dataclass(frozen=True)
class PageRequest(Record):
    """A request of the page; `frame` is the number of its frame (0 is the page, None a frame that no longer exists).

    `first_url` is the URL before any redirect; `redirected`: it led to another request; `navigation`: it loads the
    frame's document.
    """

    url: str
    method: str
    resource_type: str
    status: int | None
    failure: str | None
    from_cache: bool
    first_url: str
    redirected: bool
    frame: int | None
    navigation: bool


@dataclass(frozen=True)
class SeenPage(Record):
    """A settled page; `named_scripts` are the scripts in the page's markup as it was received.

    They are None if the browser no longer has the markup.
    """

    frames: tuple[Document, ...]
    named_scripts: tuple[str, ...] | None
    requests: tuple[PageRequest, ...]

    @classmethod
    def read(cls, folder: Path) -> Self | None:
        """Reads it from a job's folder; None if it is missing."""
        path = folder / "page.json"
        return cls.of(read(path)) if path.is_file() else None


def read(path: Path) -> Mapping[str, object]:
    """Reads a JSON object of the worker or the testbed; raises VoidError if it is invalid."""
    try:
        return read_object(path)
    except ContractError as error:
        raise VoidError(Cause.BROKEN_RESULT, str(error)) from error
