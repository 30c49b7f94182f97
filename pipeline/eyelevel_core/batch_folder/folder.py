"""Paths and files of a batch folder (docs/contracts/README.md has the list)."""

import json
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from eyelevel_core.batch_folder.attempts import add_attempt, read_attempts
from eyelevel_core.batch_folder.checks import read_check, write_check
from eyelevel_core.batch_folder.files import read_json, read_object, write_atomically
from eyelevel_core.batch_folder.takes import TAKE, StoredTake, Watch, read_take
from eyelevel_core.contracts import ContractError, check
from eyelevel_core.model.attempt import Attempt
from eyelevel_core.model.batch import Manifest
from eyelevel_core.model.campaign import Campaign
from eyelevel_core.model.capture_report import CaptureReport
from eyelevel_core.model.replay_check import ReplayCheck
from eyelevel_core.model.run import TAKES, RunName
from eyelevel_core.model.scene import Scene

Audience = Literal["participant", "researcher"]
MASKS, SENTINELS = "masks", "sentinels"
CLIP_FOLDERS: Mapping[Audience, str] = {"participant": "clips", "researcher": "researcher"}
GIVE = "give the folder that eyelevel capture made"


@dataclass(frozen=True)
class BatchFolder:
    """One campaign's captures. Methods that read raise ContractError, naming the file, where it is wrong."""

    root: Path

    @property
    def campaign_file(self) -> Path:
        """The campaign file with which the takes were captured."""
        return self.root / "campaign.toml"

    @property
    def calibration_file(self) -> Path:
        """The networks as measured before the first take."""
        return self.root / "calibration.json"

    def earlier_calibration_file(self, sha256: str) -> Path:
        """An earlier calibration, from before networks were added, under its digest."""
        return self.root / f"calibration-{sha256}.json"

    @property
    def masks(self) -> Path:
        """The motion masks of the takes, each under its digest."""
        return self.root / MASKS

    @property
    def volatile(self) -> Path:
        """The files of volatile parameters of the takes' recordings, each under its digest."""
        return self.root / "volatile"

    @property
    def checks(self) -> Path:
        """The replay checks, each under its site's name."""
        return self.root / "checks"

    def check_file(self, site: str) -> Path:
        return self.checks / f"{site}.json"

    @property
    def attempts_file(self) -> Path:
        return self.root / "attempts.jsonl"

    @property
    def fidelity_file(self) -> Path:
        return self.root / "fidelity.json"

    @property
    def report_file(self) -> Path:
        return self.root / "report.json"

    @property
    def manifest_file(self) -> Path:
        return self.root / "manifest.json"

    @property
    def networks(self) -> Path:
        """Definitions and traces of the campaign's own networks."""
        return self.root / "networks"

    def clips(self, audience: Audience) -> Path:
        """The clips of one audience; clips with painted metrics are kept apart from those of participants."""
        return self.root / CLIP_FOLDERS[audience]

    @staticmethod
    def clip_path(audience: Audience, sha256: str) -> str:
        """A clip's path inside the batch folder."""
        return f"{CLIP_FOLDERS[audience]}/{sha256}.mp4"

    @property
    def clip_index(self) -> Path:
        """The index of clips by their sources, so that a resumed build encodes no clip twice."""
        return self.root / ".clips.json"

    @property
    def scratch(self) -> Path:
        """The scratch folder of attempts, removed when a command ends."""
        return self.root / ".attempts"

    @property
    def probes(self) -> Path:
        """Unfinished probes, which a resumed capture continues."""
        return self.root / ".probe"

    @property
    def blocks(self) -> Path:
        """Takes of a paired campaign whose block is not complete yet."""
        return self.root / ".blocks"

    def sentinel_folder(self, fingerprint: str, day: str) -> "BatchFolder":
        """Sentinel takes that this machine filmed on this day, for comparison with other machines."""
        return BatchFolder(self.root / SENTINELS / f"{fingerprint}-{day}")

    def sentinels(self) -> list["BatchFolder"]:
        """The sentinel folders of all machines and days; they contain only takes."""
        return [BatchFolder(path) for path in sorted((self.root / SENTINELS).glob("*-*"))]

    @property
    def lock(self) -> Path:
        return self.root / ".lock"

    def take_folder(self, run: RunName) -> Path:
        return self.root / run.path

    def take_file(self, run: RunName) -> Path:
        return self.take_folder(run) / TAKE

    def other_files(self) -> list[Path]:
        """The existing files, other than takes and clips, that the manifest lists."""
        paths = [self.fidelity_file, self.report_file, self.calibration_file]
        paths += sorted(self.root.glob(self.earlier_calibration_file("*").name))
        for folder in (self.masks, self.volatile, self.checks):
            paths += sorted(folder.glob("*.json"))
        return [path for path in paths if path.is_file()]

    def campaign(self) -> Campaign:
        """The campaign with which the takes were captured, with every default."""
        path = self.campaign_file
        try:
            value = tomllib.loads(path.read_text())
        except FileNotFoundError:
            raise ContractError(f"{path} is missing; {GIVE}.") from None
        except (ValueError, OSError) as error:
            raise ContractError(f"{path} cannot be read as a campaign: {error}.") from error
        return Campaign.of(value, source=str(path))

    def has_take(self, run: RunName) -> bool:
        return self.take_file(run).is_file()

    def take(self, run: RunName) -> StoredTake | None:
        """The take of this run; None where it has none."""
        return read_take(self.take_file(run), self.root) if self.has_take(run) else None

    def takes(self, watch: Watch = iter) -> list[StoredTake]:
        """All takes, in the order of site, network, stack, cache and run; files beside take.json are not checked.

        `watch` passes the paths on one by one, and may show progress. Raise ContractError where there is none.
        """
        paths: Sequence[Path] = sorted((self.root / TAKES).glob(f"*/*/*/*/{TAKE}"))
        if not paths:
            raise ContractError(f"{self.root} contains no take; {GIVE}.")
        takes = [read_take(path, self.root) for path in watch(paths)]
        return sorted(takes, key=lambda take: (take.site, take.network, take.stack, take.cache, take.run))

    def attempts(self) -> list[Attempt] | None:
        """All attempts that have ended; None where attempts.jsonl does not exist."""
        return read_attempts(self.attempts_file)

    def add_attempt(self, attempt: Attempt) -> None:
        add_attempt(self.attempts_file, attempt)

    def scenes(self) -> tuple[Scene, ...] | None:
        """The scenes of fidelity.json; None where it does not exist yet."""
        path = self.fidelity_file
        if not path.is_file():
            return None
        try:
            value = read_json(path)
            check(value, "fidelity.1", source=str(path))
        except ContractError as error:
            raise ContractError(f"{error} Run capture again: it rewrites the file.") from error
        return tuple(Scene.of(entry) for entry in value)

    def write_scenes(self, scenes: Iterable[Scene]) -> None:
        """Write fidelity.json."""
        value = [scene.as_json() for scene in scenes]
        check(value, "fidelity.1", source=str(self.fidelity_file))
        write_atomically(self.fidelity_file, _text(value))

    def replay_checks(self) -> dict[str, ReplayCheck]:
        """The replay checks by site; a site that was not checked is not in it."""
        return {path.stem: read_check(path) for path in sorted(self.checks.glob("*.json"))}

    def write_check(self, site: str, replay_check: ReplayCheck) -> None:
        self.checks.mkdir(parents=True, exist_ok=True)
        write_check(replay_check, self.check_file(site))

    def write_report(self, report: CaptureReport) -> None:
        """Write report.json."""
        value = report.as_json()
        check(value, "capture-report.1", source=str(self.report_file))
        write_atomically(self.report_file, _text(value))

    def manifest(self) -> Manifest | None:
        """The manifest; None where there is none yet."""
        if not self.manifest_file.is_file():
            return None
        value = read_object(self.manifest_file)
        check(value, "batch.1", source=str(self.manifest_file))
        return Manifest.of(value)

    def write_manifest(self, manifest: Manifest) -> None:
        value = manifest.as_json()
        check(value, "batch.1", source=str(self.manifest_file))
        text = json.dumps(value, sort_keys=True, indent=1, ensure_ascii=False)
        write_atomically(self.manifest_file, text.encode() + b"\n")


def _text(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()
