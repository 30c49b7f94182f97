"""Build a batch from the takes of a campaign; the one function that capture's command calls when takes exist."""

import json
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from eyelevel import video
from eyelevel.batch.clips import make_clips
from eyelevel.batch.looked_at import Measure
from eyelevel.batch.manifest import Clip, manifest, nouns
from eyelevel.batch.plan import plan
from eyelevel.batch.planned import LeftOut, Plan
from eyelevel.batch.rules import Rules
from eyelevel.batch.showable import showable
from eyelevel.batch.sizes import tell_sizes
from eyelevel.batch.takes import Take, read_takes
from eyelevel.errors import BadInputError, EyelevelError
from eyelevel.fidelity_file import read_findings
from eyelevel.files import write_atomically
from eyelevel_core.contracts import check, schema, sha256_of_file

MEDIA_TYPES = {".json": "application/json", ".har": "application/json", ".toml": "application/toml"}


def build(batch_dir: Path, campaign: Mapping[str, Any], *, measure: Measure) -> Path:
    """Make the clips and write `manifest.json`; give its path.

    `campaign` is a value of the contract campaign.1; `batch_dir` holds its file as campaign.toml and takes under
    takes/. `measure` is the function of the stage measure, to look at the clips again. May be called again at any
    time: clips that are there with the right digest stay. A take that is not compared, or has no page, is not shown,
    and a clip that does not agree with its film is left out; the manifest says so. Raise BadInputError or
    ContractError, naming the file, where a take or fidelity.json is not whole, EyelevelError where no take may be
    shown, or no clip is left.
    """
    ffmpeg = video.version()
    campaign_path = batch_dir / "campaign.toml"
    if not campaign_path.is_file():
        raise BadInputError(f"{campaign_path} is missing; a batch holds the campaign file it was captured by.")
    takes = _of_campaign(read_takes(batch_dir), campaign)
    if not takes:
        raise BadInputError(f"{batch_dir} holds no take of the campaign {campaign['name']}; capture it first.")
    nouns(takes)  # a contradiction between takes is told before the long work
    rules = Rules.of(campaign)
    findings = read_findings(batch_dir / "fidelity.json")
    fit = showable(takes, findings, min_exact=_setting(campaign, "min_exact_share"))
    plans = plan(fit.takes, pairs=_setting(campaign, "pairs"), stacks=campaign["stacks"], rules=rules)
    for warning in (*fit.warnings, *plans.warnings):
        click.echo(f"warning: {warning}", err=True)
    if not plans.clips and fit.why_not:
        raise EyelevelError(f"No clip can be made of {batch_dir}: its takes may not be shown, as told above.")
    if not plans.clips:
        raise BadInputError(f"{batch_dir} holds no takes that clips could be made of.")
    clips, left_out = _made(batch_dir, plans.clips, ffmpeg=ffmpeg, measure=measure)
    for left in left_out:
        click.echo(f"warning: no clip of {left.plan.name}: {left.why}.", err=True)
    value = manifest(
        campaign=campaign,
        campaign_file=_entry(campaign_path),
        takes=takes,
        why_not=fit.why_not,
        plans=plans,
        rules=rules,
        clips=clips,
        left_out=left_out,
        other_files={**_compared(batch_dir), **{n: entry for take in takes for n, entry in _take_files(take)}},
        tools={"eyelevel": version("eyelevel"), "ffmpeg": ffmpeg},
    )
    path = batch_dir / "manifest.json"
    check(value, "batch.1", source=str(path))
    write_atomically(path, json.dumps(value, sort_keys=True, indent=1, ensure_ascii=False).encode() + b"\n")
    tell_sizes(clips)
    return path


def _setting(campaign: Mapping[str, Any], name: str) -> Any:
    """A campaign's own value, else the contract's default."""
    return campaign.get(name, schema("campaign.1")["properties"][name].get("default"))


def _of_campaign(takes: Sequence[Take], campaign: Mapping[str, Any]) -> list[Take]:
    """Takes of an earlier form of the campaign stay in the folder, but not in the batch."""
    caches = _setting(campaign, "cache")
    sites = {site["name"] for site in campaign["sites"]}
    runs = _setting(campaign, "runs")
    return [
        take
        for take in takes
        if take.site in sites
        and take.network in campaign["networks"]
        and take.stack in campaign["stacks"]
        and take.cache in caches
        and take.run <= runs
    ]


def _made(
    batch_dir: Path, plans: Sequence[Plan], *, ffmpeg: str, measure: Measure
) -> tuple[Sequence[Clip], Sequence[LeftOut]]:
    columns = (TextColumn("clips"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        bar = progress.add_task("clips", total=len(plans))
        return make_clips(batch_dir, plans, ffmpeg=ffmpeg, measure=measure, done=lambda: progress.advance(bar))


def _take_files(take: Take) -> Iterator[tuple[str, dict[str, Any]]]:
    """What goes into the manifest: all but the film, which stays on the capture machine."""
    folder = take.path
    yield f"{folder}/take.json", _entry(take.folder / "take.json")
    for name, listed in take.value["files"].items():
        if name != take.value["film"]["path"]:
            yield f"{folder}/{name}", dict(listed)


def _compared(batch_dir: Path) -> dict[str, Any]:
    """How a scene's stacks differ, what became of all attempts, and whether the networks were what they say they are.

    Whoever analyses the votes must see it.
    """
    paths = [batch_dir / name for name in ("fidelity.json", "report.json", "calibration.json")]
    paths += sorted(batch_dir.glob("calibration-*.json"))  # of the takes from before networks were added
    return {path.name: _entry(path) for path in paths if path.is_file()}


def _entry(path: Path) -> dict[str, Any]:
    entry = {"sha256": sha256_of_file(path), "bytes": path.stat().st_size}
    return {**entry, "media_type": MEDIA_TYPES[path.suffix]} if path.suffix in MEDIA_TYPES else entry
