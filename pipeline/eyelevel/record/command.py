"""The command `eyelevel record`: records a live page, or a list of them."""

import shutil
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path

import click

from eyelevel.disk import room
from eyelevel.errors import BadInputError, Exit, ToolMissingError
from eyelevel.options import NumberRange
from eyelevel.record.addresses import why_not
from eyelevel.record.many import FAILED, KEPT, Patience, SiteResult, check_kept, file_of, record_site
from eyelevel.record.many_report import FILE, contents, not_recorded, read_report, report_csv
from eyelevel.record.page import Manner, Tools, record_page
from eyelevel.record.progress import Talk
from eyelevel.record.proxy import find_warcprox
from eyelevel.record.sites import ListedSite, read_sites
from eyelevel.record.warning import warn_of
from eyelevel.recorded import Response
from eyelevel_core.model.device import DESKTOP, DEVICES, Viewport

WIDTH_PX, HEIGHT_PX = 1280, 720


@click.command()
@click.argument("url", required=False)
@click.option(
    "-o",
    "--out",
    metavar="PATH",
    required=True,
    type=click.Path(path_type=Path),
    help="File of the recording, X.warc.gz; its folder must exist. With --list a folder; created if missing.",
)
@click.option(
    "--list",
    "sites_file",
    metavar="SITES.txt",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Record all pages of this file: one URL per line, optionally followed by a name; comments start with #.  "
    "[default: none]",
)
@click.option(
    "--visits",
    type=click.IntRange(1, 9),
    help="Visits per page. Later visits use other random numbers; requests that only they make are added.  "
    "[default: 1, with --list 2]",
)
@click.option(
    "--seed",
    type=click.IntRange(0, 2**31 - 1),
    help="Seed of the page's random numbers, stored in the recording and used again in replay.  [default: random]",
)
@click.option(
    "--attempts", type=click.IntRange(1, 99), default=3, show_default=True, help="Attempts per page (with --list)."
)
@click.option(
    "--pause",
    "pause_s",
    type=NumberRange(0, 3600),
    default=5.0,
    show_default=True,
    help="With --list: seconds before the second attempt at a page; doubles with each further attempt.",
)
@click.option("--width", "width_px", type=int, help="Viewport width on a desktop, in CSS pixels.  [default: 1280]")
@click.option("--height", "height_px", type=int, help="Viewport height on a desktop, in CSS pixels.  [default: 720]")
@click.option(
    "--device",
    type=click.Choice(list(DEVICES)),
    default=DESKTOP.name,
    show_default=True,
    help="Device profile of the visit, as in a campaign. A phone has a fixed viewport.",
)
@click.option("--limit", "limit_s", default=60.0, show_default=True, help="Seconds to wait for the load event.")
@click.pass_context
def record(
    ctx: click.Context,
    *,
    url: str | None,
    out: Path,
    sites_file: Path | None,
    visits: int | None,
    seed: int | None,
    attempts: int,
    pause_s: float,
    width_px: int | None,
    height_px: int | None,
    device: str,
    limit_s: float,
) -> None:
    """Record a page, or each page of a list, as a WARC file with server addresses and unmodified bodies.

    The recording keeps the seed of the page's random numbers and the start date of its clock, which capture uses again,
    and a screenshot of the page once it is quiet. With --list, the same command continues where it stopped, and keeps
    finished recordings. PATH/recordings.csv has a row per site.

    Needs Chromium and warcprox.

    Exit status: 0 done, 1 some pages of the list could not be recorded, 4 the URL, the list or a file is wrong, 5 a
    tool is missing, 7 the page did not load, 8 the disk is full.

    Example: eyelevel record https://example.org/ -o example.warc.gz

    Example: eyelevel record --list sites.txt --out recordings
    """
    if (url is None) == (sites_file is None):
        raise click.UsageError("Give either a URL or --list SITES.txt.")
    visitor = DEVICES[device]
    if visitor != DESKTOP and (width_px, height_px) != (None, None):
        raise click.UsageError(f"--width and --height do not apply with --device {device}; remove them.")
    viewport = visitor.page(Viewport(width_px or WIDTH_PX, height_px or HEIGHT_PX))
    manner = Manner(viewport, limit_s, visits or (1 if sites_file is None else 2), seed, visitor)
    if sites_file is not None:
        failed = _record_many(sites_file, out, manner, Patience(attempts, pause_s))
        ctx.exit(Exit.FAILED if failed else Exit.OK)
    elif url is not None:
        _record_one(url, out, manner)


def _record_one(url: str, out: Path, manner: Manner) -> None:
    reason = why_not(url)
    if reason is not None:
        raise BadInputError(reason)
    if not out.parent.is_dir():
        raise BadInputError(f"The folder {out.parent} of {out.name} does not exist; create it first.")
    if out.is_dir():
        raise BadInputError(f"{out} is a folder; give a file for the recording, such as {out / 'page.warc.gz'}.")
    tools = _tools()
    click.echo(f"Recording {url} ...", err=True)
    recorded = record_page(url, out, tools=tools, manner=manner)
    click.echo(
        f"{out}: {recorded.title!r}, {contents(recorded.responses)}{not_recorded(recorded.unrecorded)}.", err=True
    )
    warn_of(response.url for response in recorded.responses)


def _record_many(sites_file: Path, out: Path, manner: Manner, patience: Patience) -> int:
    """Records what is missing, and writes the report after each site; returns how many sites failed."""
    try:
        sites = read_sites(sites_file.read_text(), source=str(sites_file))
    except (OSError, ValueError) as error:
        raise BadInputError(f"{sites_file} cannot be read as a list of pages: {error}.") from error
    if out.exists() and not out.is_dir():
        raise BadInputError(f"{out} is a file; with --list give a folder for the recordings.")
    kept = check_kept(out, sites)
    tools = _tools() if len(kept) < len(sites) else None
    out.mkdir(parents=True, exist_ok=True)
    results = _kept_results(out, sites, kept)
    with room(out), Talk(len(sites)) as talk:
        for site in sites:
            talk.begin(site)
            if site.name not in kept and tools is not None:
                record = partial(record_page, tools=tools, manner=manner)
                recorded = record_site(site, out, record=record, patience=patience, tell=partial(talk.retry, site))
                results[site.name] = recorded
            talk.tell(results[site.name])
            done = [results[listed.name] for listed in sites if listed.name in results]
            _write_whole(out / FILE, report_csv(done))
    warn_of(response.url for result in results.values() for response in result.responses)
    click.echo(out / FILE)
    return sum(result.outcome == FAILED for result in results.values())


def _kept_results(
    out: Path, sites: Iterable[ListedSite], kept: Mapping[str, tuple[Response, ...]]
) -> dict[str, SiteResult]:
    """The existing recordings, with their rows of an earlier report if they have not changed since."""
    report = out / FILE
    written = report.stat().st_mtime_ns if report.is_file() else 0
    before = read_report(report.read_text(encoding="utf-8")) if written else {}
    results: dict[str, SiteResult] = {}
    for site in sites:
        if site.name in kept:
            file = file_of(out, site)
            known = before.get(site.name, {}) if file.stat().st_mtime_ns <= written else {}
            results[site.name] = SiteResult(site, file, KEPT, 0, responses=kept[site.name], before=known)
    return results


def _write_whole(path: Path, text: str) -> None:
    part = path.with_name(f"{path.name}.part")
    part.write_text(text, encoding="utf-8", newline="")
    part.rename(path)


def _tools() -> Tools:
    chromium = shutil.which("chromium")
    if chromium is None:
        raise ToolMissingError("chromium is missing; install it with: apt-get install chromium")
    return Tools(chromium, find_warcprox())
