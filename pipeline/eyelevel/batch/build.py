"""Builds a batch from the takes of a campaign: chooses runs, makes clips, writes the manifest."""

from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from eyelevel import video
from eyelevel.batch.looked_at import Measure
from eyelevel.batch.make_clips import make_clips
from eyelevel.batch.manifest import Clip, manifest, nouns
from eyelevel.batch.plan import plan
from eyelevel.batch.planned import LeftOut, Plan
from eyelevel.batch.showable import showable
from eyelevel.batch.sizes import tell_sizes
from eyelevel.errors import BadInputError, EyelevelError
from eyelevel_core.batch_folder import BatchFolder, FilmedTake, StoredTake
from eyelevel_core.batch_folder.takes import TAKE, whole
from eyelevel_core.comparability.model import Findings
from eyelevel_core.contracts import sha256_of_file
from eyelevel_core.model.campaign import Campaign
from eyelevel_core.model.take import FileEntry

MEDIA_TYPES = {".json": "application/json", ".har": "application/json", ".toml": "application/toml"}


def build(folder: BatchFolder, campaign: Campaign, *, measure: Measure) -> Path:
    """Makes the clips and writes `manifest.json`; returns its path.

    `folder` has campaign.toml and takes; `campaign` may have fewer runs than there are takes. `measure` is the function
    of the stage measure, which measures the clips again. The function may be called repeatedly: clips that exist with
    the right digest are kept. A take that is excluded from comparison, or has no page, is not shown, and a clip that
    differs from its film is left out; the manifest records both. Raises BadInputError or ContractError, naming the
    file, if a take or fidelity.json is incomplete, and EyelevelError if no take may be shown, or no clip is left.
    """
    ffmpeg = video.version()
    if not folder.campaign_file.is_file():
        raise BadInputError(f"{folder.campaign_file} is missing; restore the campaign file of this batch.")
    takes = [whole(take) for take in _of_campaign(folder.takes(), campaign)]
    if not takes:
        raise BadInputError(f"{folder.root} has no take of the campaign {campaign.name}; capture it first.")
    nouns(takes)  # a contradiction between takes is reported before the long work
    scenes = folder.scenes()
    fit = showable(takes, None if scenes is None else Findings.of(scenes), checks=folder.replay_checks())
    plans = plan(fit.takes, pairs=campaign.pairs, stacks=campaign.stacks, rules=campaign.clips)
    for warning in (*fit.warnings, *plans.warnings):
        click.echo(f"warning: {warning}", err=True)
    if not plans.clips and fit.why_not:
        raise EyelevelError(f"No clip can be made of {folder.root}: its takes may not be shown, as reported above.")
    if not plans.clips:
        raise BadInputError(f"{folder.root} has no takes of which clips can be made; capture more runs.")
    clips, left_out = _make_with_progress(folder, plans.clips, ffmpeg=ffmpeg, measure=measure)
    for left in left_out:
        click.echo(f"warning: no clip of {left.plan.name}: {left.why}.", err=True)
    value = manifest(
        campaign=campaign,
        campaign_file=_entry(folder.campaign_file),
        takes=takes,
        why_not=fit.why_not,
        plans=plans,
        clips=clips,
        left_out=left_out,
        other_files={
            **{path.relative_to(folder.root).as_posix(): _entry(path) for path in folder.other_files()},
            **{name: entry for take in takes for name, entry in _take_files(take)},
        },
        tools={"eyelevel": version("eyelevel"), "ffmpeg": ffmpeg},
    )
    folder.write_manifest(value)
    tell_sizes(clips)
    return folder.manifest_file


def _of_campaign(takes: Sequence[StoredTake], campaign: Campaign) -> list[StoredTake]:
    """The takes of this campaign; takes of an earlier version of it stay in the folder, but are not in the batch."""
    sites = {site.name for site in campaign.sites}
    return [
        take
        for take in takes
        if take.site in sites
        and take.network in campaign.networks
        and take.stack in campaign.stacks
        and take.cache in campaign.caches
        and take.run <= campaign.runs_of(take.network)
    ]


def _make_with_progress(
    folder: BatchFolder, plans: Sequence[Plan], *, ffmpeg: str, measure: Measure
) -> tuple[Sequence[Clip], Sequence[LeftOut]]:
    columns = (TextColumn("clips"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        bar = progress.add_task("clips", total=len(plans))
        return make_clips(
            folder,
            plans,
            ffmpeg=ffmpeg,
            measure=measure,
            done=lambda: progress.advance(bar),
        )


def _take_files(take: FilmedTake) -> Iterator[tuple[str, FileEntry]]:
    """The files of a take for the manifest: all except the film, which stays on the capture machine."""
    yield f"{take.path}/{TAKE}", _entry(take.folder / TAKE)
    for name, listed in take.take.files.items():
        if name != take.take.film.path:
            yield f"{take.path}/{name}", listed


def _entry(path: Path) -> FileEntry:
    return FileEntry(sha256_of_file(path), path.stat().st_size, MEDIA_TYPES.get(path.suffix))
