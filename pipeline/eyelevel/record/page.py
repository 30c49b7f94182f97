"""Records one page: visits it through a proxy, and writes its responses as one WARC file."""

import secrets
import tempfile
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from urllib.parse import quote, urlsplit

from eyelevel.errors import EyelevelError, UnreachableError
from eyelevel.pinning import SEEDS, pinning_script
from eyelevel.record.proxy import LOG, WARCS, proxy
from eyelevel.record.proxy_log import why
from eyelevel.record.visit import Visited, visit
from eyelevel.record.write import Part, write_recording
from eyelevel.recorded import Response, responses
from eyelevel.recording import CHANCE_SEED, PAGE_DATE
from eyelevel_core.model.device import DESKTOP, Device, Viewport

# between two visits of a page
PAUSE_S = 2.0
DEFAULT_PORTS = {"http": 80, "https": 443}
# characters that browsers do not encode in a path and a query
KEPT = "/%:@!$&'()*+,;=~-._?[]|{}^`"


@dataclass(frozen=True)
class Tools:
    """Paths of the programs that recording starts."""

    chromium: str
    warcprox: str


@dataclass(frozen=True)
class Manner:
    """Settings for recording pages; `seed` is that of the first visit, None draws one for each page."""

    viewport: Viewport
    limit_s: float
    visits: int
    seed: int | None = None
    device: Device = DESKTOP


@dataclass(frozen=True)
class Recorded:
    """The contents of one recording; `unrecorded` are URLs that the page requested and the recording lacks.

    `visits` may be fewer than requested: a later visit that fails is left out.
    """

    title: str
    responses: tuple[Response, ...]
    unrecorded: tuple[str, ...]
    visits: int


def record_page(url: str, out: Path, *, tools: Tools, manner: Manner) -> Recorded:
    """Records the page into `out`, with the requested number of visits, each with another seed of random numbers.

    Raises UnreachableError, with the proxy's reason if known, if the first visit fails; then `out` is not written.
    """
    seed = secrets.randbelow(SEEDS) if manner.seed is None else manner.seed
    date = page_date(datetime.now(UTC))
    seen: list[Visited] = []
    with tempfile.TemporaryDirectory(prefix="eyelevel-record-") as place:
        folders = [Path(place) / f"visit-{number}" for number in range(1, manner.visits + 1)]
        for number, folder in enumerate(folders):
            try:
                if number > 0:
                    time.sleep(PAUSE_S)
                script = pinning_script(seed=seed + number, start_ms=round(date.timestamp() * 1000))
                seen.append(_visit(url, folder, tools=tools, manner=manner, script=script))
            except UnreachableError:
                if number == 0:
                    raise
                break
        parts = [Part(sorted((folder / WARCS).glob("*.warc.gz"))) for folder in folders[: len(seen)]]
        if not any(has(responses(file), url) for file in parts[0].files):
            reason = _reason(folders[0], url) or "its log gives no reason"
            raise EyelevelError(f"{url} was loaded, but warcprox did not record it: {reason}; try again.")
        write_recording(parts, out, page=url, fields=_fields(url, seed, date), screenshot=seen[0].screenshot)
    recorded = tuple(responses(out))
    return Recorded(seen[0].title, recorded, _missing(seen[0].requested, recorded), len(seen))


def page_date(now: datetime) -> datetime:
    """Returns the date of the page's clock: the full minute, so that dates in its requests repeat in replay.

    A replay starts the clock at the same date.
    """
    return now.replace(second=0, microsecond=0)


def has(responses: Iterable[Response], url: str) -> bool:
    """Returns whether there is a response for `url`, over http or https."""
    wanted = _address(url)
    return any(_address(response.url) == wanted for response in responses)


def _visit(url: str, folder: Path, *, tools: Tools, manner: Manner, script: str) -> Visited:
    folder.mkdir()
    try:
        with proxy(tools.warcprox, folder) as port:
            return visit(
                url,
                executable=tools.chromium,
                port=port,
                viewport=manner.viewport,
                limit_s=manner.limit_s,
                script=script,
                device=manner.device,
            )
    except UnreachableError as error:
        reason = _reason(folder, url)
        if reason is None:
            raise
        raise UnreachableError(f"{url} could not be recorded: {reason}.") from error


def _reason(folder: Path, url: str) -> str | None:
    return why((folder / LOG).read_text(errors="replace"), url)


def _fields(url: str, seed: int, date: datetime) -> dict[str, str]:
    return {
        "software": f"eyelevel {version('eyelevel')}, warcprox",
        "format": "WARC File Format 1.0",
        "description": f"A visit to {url}. Bodies are as they came over the wire, content-encoding included.",
        CHANCE_SEED: str(seed),
        PAGE_DATE: date.isoformat().replace("+00:00", "Z"),
    }


def _missing(requested: Iterable[str], responses: Iterable[Response]) -> tuple[str, ...]:
    recorded = {_address(response.url) for response in responses}
    return tuple(url for url in requested if _address(url) not in recorded)


def _address(url: str) -> str:
    """Host, port, path and query as browsers write them (IDNA, percent-encoding); without scheme and credentials."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    with suppress(UnicodeError):  # not a valid name in the DNS
        host = host.encode("idna").decode()
    port = "" if parts.port in {None, DEFAULT_PORTS.get(parts.scheme)} else f":{parts.port}"
    return f"{host}{port}{quote(parts.path or '/', safe=KEPT)}?{quote(parts.query, safe=KEPT)}"
