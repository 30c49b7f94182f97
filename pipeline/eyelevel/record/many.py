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
# errors that another attempt may cure
CURABLE = {Exit.FAILED, Exit.UNREACHABLE}


@dataclass(frozen=True)
class SiteResult:
    """The result of one site; fields that are not known for a kept or failed site are None.

    `attempts` are those of this command: none for a kept site. `unrecorded` are URLs that the page requested without a
    recorded answer. `before` has the cells of a kept site in an earlier command's report.
    """

    site: ListedSite
    file: Path
    outcome: str
    attempts: int
    title: str | None = None
    responses: tuple[Response, ...] = ()
    unrecorded: tuple[str, ...] | None = None
    visits: int | None = None
    error: str | None = None
    before: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Patience:
    """Retries of a page: the number of attempts, and the pause before the second one; later pauses double."""

    attempts: int
    pause_s: float

    def before(self, attempt: int) -> float:
        """Returns the seconds to wait before this attempt, from 1 on."""
        return 0.0 if attempt == 1 else self.pause_s * 2.0 ** (attempt - 2)


def file_of(folder: Path, site: ListedSite) -> Path:
    """Returns the file of a site's recording."""
    return folder / f"{site.name}.warc.gz"


def check_kept(folder: Path, sites: Iterable[ListedSite]) -> dict[str, tuple[Response, ...]]:
    """Returns the responses of existing recordings by site; raises BadInputError if a file is of another page."""
    kept = {}
    for site in sites:
        file = file_of(folder, site)
        if file.exists():
            kept[site.name] = tuple(responses(file))
            if not has(kept[site.name], site.url):
                raise BadInputError(
                    f"{file} has no response for {site.url}; move it away, or give the site another name in line "
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
    """Records a site, with retries; raises errors that another attempt would not cure."""
    file, error = file_of(folder, site), ""
    for attempt in range(1, patience.attempts + 1):
        sleep(patience.before(attempt))
        try:
            recorded = record(site.url, file)
        except EyelevelError as failure:
            if failure.exit_status not in CURABLE:
                raise
            error = str(failure)
            tell(f"attempt {attempt} of {patience.attempts}: {error}")
            continue
        return SiteResult(
            site, file, RECORDED, attempt, recorded.title, recorded.responses, recorded.unrecorded, recorded.visits
        )
    return SiteResult(site, file, FAILED, patience.attempts, error=error)
