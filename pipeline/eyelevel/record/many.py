"""Records a list of pages one after the other: with retries, continuing where an earlier command stopped."""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from eyelevel.errors import BadInputError, Exit, EyelevelError
from eyelevel.record.page import Recorded, has
from eyelevel.record.sites import ListedSite
from eyelevel.recorded import Response, responses

RECORDED, KEPT, FAILED = "recorded", "kept", "failed"
# what another attempt may cure
CURABLE = {Exit.FAILED, Exit.UNREACHABLE}


@dataclass(frozen=True)
class SiteResult:
    """What became of one site. What is not known of a kept or failed site is None.

    `attempts` were needed now: none for what was kept. `unrecorded` are URLs that the page asked for in vain. `before`
    are the cells of an earlier command's report about what was kept.
    """

    site: ListedSite
    file: Path
    outcome: str
    attempts: int
    title: str | None = None
    found: tuple[Response, ...] = ()
    unrecorded: tuple[str, ...] | None = None
    visits: int | None = None
    error: str | None = None
    before: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Patience:
    """How often a page is tried, and how long to pause before the second attempt; each later pause is twice as long."""

    attempts: int
    pause_s: float

    def before(self, attempt: int) -> float:
        """Seconds to wait before this attempt, from 1 on."""
        return 0.0 if attempt == 1 else self.pause_s * 2.0 ** (attempt - 2)


def file_of(folder: Path, site: ListedSite) -> Path:
    return folder / f"{site.name}.warc.gz"


def check_kept(folder: Path, sites: Iterable[ListedSite]) -> dict[str, tuple[Response, ...]]:
    """What is there already, by name. Raise BadInputError for a file that is not a recording of its site."""
    kept = {}
    for site in sites:
        file = file_of(folder, site)
        if file.exists():
            kept[site.name] = tuple(responses(file))
            if not has(kept[site.name], site.url):
                raise BadInputError(
                    f"{file} holds no response for {site.url}; move it away, or give the site another name in line "
                    f"{site.line}."
                )
    return kept


def record_site(
    site: ListedSite,
    folder: Path,
    *,
    record: Callable[[str, Path], Recorded],
    patience: Patience,
    tell: Callable[[str], None],
    sleep: Callable[[float], None] = time.sleep,
) -> SiteResult:
    """Try a site as often as patience allows; an error that another attempt would not cure is raised."""
    file, error = file_of(folder, site), ""
    for attempt in range(1, patience.attempts + 1):
        sleep(patience.before(attempt))
        try:
            made = record(site.url, file)
        except EyelevelError as failure:
            if failure.exit_status not in CURABLE:
                raise
            error = str(failure)
            tell(f"attempt {attempt} of {patience.attempts}: {error}")
            continue
        return SiteResult(site, file, RECORDED, attempt, made.title, made.found, made.unrecorded, made.visits)
    return SiteResult(site, file, FAILED, patience.attempts, error=error)
