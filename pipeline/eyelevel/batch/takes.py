"""The takes of a batch folder, read by their contract and checked against their digests."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eyelevel.errors import BadInputError
from eyelevel.files import read_object
from eyelevel_core.comparability.model import Fidelity
from eyelevel_core.contracts import check, check_relative_path, sha256_of_file, sha256_of_json

# site and network: what the stacks compared have in common
Scene = tuple[str, str]


@dataclass(frozen=True)
class Take:
    """A take that is whole: every file that its take.json lists is there with the right digest."""

    folder: Path
    digest: str
    value: Mapping[str, Any]
    times_ms: tuple[float, ...]

    @property
    def site(self) -> str:
        return str(self.value["site"])

    @property
    def network(self) -> str:
        return str(self.value["network"]["name"])

    @property
    def stack(self) -> str:
        return str(self.value["stack"]["name"])

    @property
    def run(self) -> int:
        return int(self.value["run"])

    @property
    def cache(self) -> str:
        """`cold` for a first visit, `warm` for a second one."""
        return str(self.value["cache"])

    @property
    def path(self) -> str:
        """The take's folder inside the batch."""
        visit = "run" if self.cache == "cold" else self.cache
        return f"takes/{self.site}/{self.network}/{self.stack}/{visit}-{self.run:02d}"

    @property
    def scene(self) -> Scene:
        return (self.site, self.network)

    @property
    def fidelity(self) -> Fidelity:
        return Fidelity.of(self.value)

    @property
    def metrics(self) -> Mapping[str, float | None]:
        """As the take's film gave them, in ms since navigation start."""
        metrics: Mapping[str, float | None] = self.value["metrics"]
        return metrics

    @property
    def frame_rate(self) -> float:
        return float(self.value["film"]["frame_rate"])

    @property
    def film(self) -> Path:
        return self.folder / str(self.value["film"]["path"])

    @property
    def given_up(self) -> str | None:
        """The browser's error where it gave the navigation up: an outcome, but no page to show."""
        error: str | None = self.value.get("given_up")
        return error

    @property
    def end_ms(self) -> float:
        """When the take ended, since navigation start: settled, or at the campaign's limit."""
        settled = self.value["settled_ms"]
        return float(self.value["film"].get("end_ms", self.times_ms[-1]) if settled is None else settled)

    @property
    def changed_ms(self) -> float:
        """The last visual change; the take's end where there was none or it is unknown."""
        changed = self.metrics["lvc_ms"]
        return self.end_ms if changed is None else float(changed)

    @property
    def name(self) -> str:
        return f"{self.site}, {self.network}, {self.stack}, run {self.run}"


def read_takes(batch_dir: Path) -> list[Take]:
    """All takes under `takes/`, in the order of site, network, stack, cache and run.

    Raise BadInputError or ContractError, naming the file, where a take breaks its contract, lacks a file, holds one
    with another digest, or stands in another folder than its contents say.
    """
    takes = [_read(path) for path in sorted((batch_dir / "takes").glob("*/*/*/*/take.json"))]
    for take in takes:
        expected = batch_dir / take.path
        if take.folder != expected:
            raise BadInputError(f"{take.folder} holds the take of {expected}; put it there or remove it.")
    return sorted(takes, key=lambda take: (take.site, take.network, take.stack, take.cache, take.run))


def _read(path: Path) -> Take:
    value = read_object(path)
    check(value, "take.1", source=str(path))
    for name, listed in _listed(value, path):
        _check_file(path.parent / name, listed, source=path)
    times_ms = _times(path.parent / "frames.json")
    if len(times_ms) != value["film"]["frames"]:
        raise BadInputError(
            f"{path}: the film has {value['film']['frames']} frames, frames.json {len(times_ms)} times."
        )
    return Take(path.parent, sha256_of_json(value), value, times_ms)


def _listed(value: Mapping[str, Any], path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for needed in (value["film"]["path"], "frames.json"):
        if needed not in value["files"]:
            raise BadInputError(f"{path} does not list {needed} among its files.")
    for name, listed in value["files"].items():
        check_relative_path(name, source=str(path))
        yield name, listed


def _check_file(path: Path, listed: Mapping[str, Any], *, source: Path) -> None:
    if not path.is_file():
        raise BadInputError(f"{path} is missing, though {source.name} lists it; capture the take again.")
    if path.stat().st_size != listed["bytes"] or sha256_of_file(path) != listed["sha256"]:
        raise BadInputError(f"{path} is not what {source.name} lists (other bytes); capture the take again.")


def _times(path: Path) -> tuple[float, ...]:
    times = read_object(path).get("times_ms")
    if not isinstance(times, list) or not times or not all(type(ms) in {int, float} for ms in times):
        raise BadInputError(f"{path} must be an object whose `times_ms` is a list of numbers, one per frame.")
    return tuple(float(ms) for ms in times)
