"""What a batch folder already holds: takes in their places, and the lines of attempts.jsonl. One command at a time."""

import fcntl
import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from eyelevel.capture.campaign import settings_of
from eyelevel.capture.estimate import Seen
from eyelevel.capture.plan import Run, frame_rate
from eyelevel.errors import BadInputError, RefusedError
from eyelevel.files import write_atomically

ATTEMPTS = "attempts.jsonl"
RULES = ("limit_s", "limits_s", "quiet_ms", "group_by", "priority_updates")
OUTCOMES = {"settled": "valid", "unsettled": "censored"}  # a take's, and its attempt's


@contextmanager
def claimed(batch: Path) -> Iterator[None]:
    """Hold the batch folder for this process; the kernel lets go of it however the process ends."""
    batch.mkdir(parents=True, exist_ok=True)
    with (batch / ".lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RefusedError(f"Another capture is at work in {batch}; wait for it or give another --out.") from None
        yield


def taken(batch: Path, runs: Iterable[Run], settings: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """The take.json of every run that has its take, by the run's path. BadInputError if another plan took one."""
    found = {}
    for run in runs:
        path = batch / run.path / "take.json"
        if path.is_file():
            take = json.loads(path.read_text())
            scheduler = take["provenance"]["scheduler"]
            here = (take["seed"], take["recording"], take["viewport"], take["film"]["frame_rate"], scheduler)
            rate = frame_rate(settings, run.network)
            wanted = (run.seed, run.recording, settings["viewport"], rate, settings["scheduler"])
            if here != wanted:
                raise BadInputError(
                    f"{path.parent} was taken by another campaign (seed, recording, viewport, frame rate or "
                    "scheduler differ); give another --out."
                )
            found[run.path] = take
    return found


def check_rules(batch: Path, settings: Mapping[str, Any]) -> None:
    """BadInputError where the takes there were made by other rules, that a take alone does not tell."""
    path = batch / "campaign.toml"
    if not path.is_file():
        return
    before, pages = _kept(path)
    for name in RULES:
        if before[name] != settings[name]:
            raise BadInputError(
                f"The takes in {batch} were made with {name} = {before[name]}, and the campaign now says "
                f"{settings[name]}; set it back or give another --out."
            )
    for site in settings["sites"]:
        if pages.get(site["name"], site.get("start_url")) != site.get("start_url"):
            raise BadInputError(
                f"The takes of {site['name']} in {batch} were made with start_url = {pages[site['name']]}, and the "
                f"campaign now says {site.get('start_url')}; set it back or give another --out."
            )


def _kept(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """The settings that takes were made by, and where each site starts."""
    try:
        before = settings_of(tomllib.loads(path.read_text()))
        return before, {site["name"]: site.get("start_url") for site in before["sites"]}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        why = f"{error} is missing" if isinstance(error, KeyError) else error
        raise BadInputError(
            f"{path} cannot be read as a campaign ({why}); put the file that its takes were made by in its place."
        ) from error


def keep_campaign(batch: Path, campaign_file: Path) -> None:
    """The batch holds the campaign file it was captured by; that file itself may be given."""
    write_atomically(batch / "campaign.toml", campaign_file.read_bytes())


def check_browser(takes: Mapping[str, Mapping[str, Any]], version: str | None) -> None:
    """BadInputError where another Chromium made a take; takes that do not say which one are let be."""
    for path, take in takes.items():
        made_by = take["provenance"]["tools"].get("chromium")
        if version is not None and made_by not in (None, version):
            raise BadInputError(
                f"{path} was made with Chromium {made_by}, and here is {version}: one campaign has one browser; give "
                "another --out, or install that version."
            )


def check_testbed(takes: Mapping[str, Mapping[str, Any]], sha256: str) -> None:
    """BadInputError where another build of the testbed made a take; takes that do not say which one are let be."""
    for path, take in takes.items():
        made_by = take["provenance"]["tools"].get("testbed_sha256", sha256)
        if made_by != sha256:
            raise BadInputError(
                f"{path} was made with another build of the testbed ({made_by[:12]}, now {sha256[:12]}), and runs to "
                "come could differ for that; give another --out, or name that build in EYELEVEL_TESTBED."
            )


def lines(batch: Path) -> list[dict[str, Any]]:
    """All attempts that have ended, in order. A line torn by a crash does not count."""
    path = batch / ATTEMPTS
    found = []
    for text in path.read_text().splitlines() if path.is_file() else []:
        try:
            line = json.loads(text)
            line["run"], line["outcome"] = str(line["run"]), str(line["outcome"])
        except (ValueError, KeyError, TypeError):
            continue
        found.append(line)
    return found


def note(
    batch: Path, run: Run, number: int, outcome: str, *, cause: str | None, detail: str | None, wall_s: float | None
) -> None:
    """Add one line for an attempt that has ended; `cause` is None but for a void one."""
    line = {
        "run": run.path,
        "attempt": number,
        "outcome": outcome,
        "cause": cause,
        "detail": detail,
        "wall_s": None if wall_s is None else round(wall_s, 2),
        "ended_at": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    path = batch / ATTEMPTS
    torn = path.is_file() and not path.read_bytes().endswith(b"\n") and path.stat().st_size > 0
    with path.open("a") as file:
        file.write(("\n" if torn else "") + json.dumps(line, ensure_ascii=False) + "\n")


def catch_up(batch: Path, runs: Iterable[Run], takes: Mapping[str, Mapping[str, Any]]) -> None:
    """Add the lines of takes whose command died after it had put them in place and before it could tell."""
    told = {line["run"] for line in lines(batch) if line["outcome"] in OUTCOMES.values()}
    for run in runs:
        if run.path in takes and run.path not in told:
            take = takes[run.path]
            note(batch, run, take["attempt"], OUTCOMES[take["outcome"]], cause=None, detail=None, wall_s=None)


def costs(batch: Path, runs: Iterable[Run]) -> list[Seen]:
    """What each take here cost; the wall time is None where its attempt's line is lost."""
    walls = {line["run"]: line.get("wall_s") for line in lines(batch) if line["outcome"] in OUTCOMES.values()}
    return [
        Seen(run.network, walls.get(run.path), sum(file.stat().st_size for file in (batch / run.path).iterdir()))
        for run in runs
        if (batch / run.path / "take.json").is_file()
    ]
