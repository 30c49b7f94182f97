"""Reads takes of a batch folder, and checks them against their contract, their folder and their digests."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from eyelevel_core.batch_folder.files import read_json, read_object
from eyelevel_core.contracts import ContractError, check, check_relative_path, sha256_of_file
from eyelevel_core.model.film import FrameTimes, Progress
from eyelevel_core.model.metrics import MetricValues, complete
from eyelevel_core.model.response import Response
from eyelevel_core.model.take import Fidelity, Take
from eyelevel_core.model.wire import WireReport

TAKE, FRAMES, WIRE, RESPONSES, PROGRESS = "take.json", "frames.json", "wire.json", "responses.json", "progress.json"
# shows a caller's progress while it passes the paths on
Watch = Callable[[Sequence[Path]], Iterable[Path]]


@dataclass(frozen=True)
class StoredTake:
    """A take in its folder. `digest` is its identity."""

    folder: Path
    digest: str
    take: Take

    @property
    def site(self) -> str:
        return self.take.site

    @property
    def network(self) -> str:
        return self.take.network.name

    @property
    def stack(self) -> str:
        return self.take.stack.name

    @property
    def run(self) -> int:
        return self.take.run

    @property
    def cache(self) -> str:
        """The cache mode: `cold` for a first visit, else what a second visit keeps of the first."""
        return self.take.cache

    @property
    def path(self) -> str:
        """The take's folder inside the batch folder."""
        return self.take.name.path

    @property
    def scene(self) -> tuple[str, str]:
        """Site and network, which the compared stacks have in common."""
        return (self.site, self.network)

    @property
    def metrics(self) -> MetricValues:
        """One value per metric; None for a metric that is newer than the take."""
        return complete(self.take.metrics)

    @property
    def fidelity(self) -> Fidelity:
        return self.take.fidelity

    @property
    def film(self) -> Path:
        return self.folder / self.take.film.path

    @property
    def label(self) -> str:
        return f"{self.site}, {self.network}, {self.stack}, run {self.run}"

    def check_files(self, names: Collection[str] | None = None) -> None:
        """Raise ContractError where a file that take.json lists is missing or has other bytes; `names`: only these."""
        source = self.folder / TAKE
        for name, listed in self.take.files.items():
            check_relative_path(name, source=str(source))
            if names is not None and name not in names:
                continue
            path = self.folder / name
            if not path.is_file():
                raise ContractError(f"{path} is missing, though {TAKE} lists it; capture the take again.")
            if path.stat().st_size != listed.bytes or sha256_of_file(path) != listed.sha256:
                raise ContractError(f"{path} does not have the digest that {TAKE} lists; capture the take again.")

    def wire(self) -> WireReport | None:
        """Returns the wire report; None for a take that lists none. Raise ContractError where it is broken."""
        if WIRE not in self.take.files:
            return None
        self.check_files([WIRE])
        path = self.folder / WIRE
        value = read_object(path)
        try:
            return WireReport.of(value)  # capture checked the contract of a file with this digest
        except (KeyError, TypeError, AttributeError):
            check(value, "wire.1", source=str(path))
            raise


@dataclass(frozen=True)
class FilmedTake(StoredTake):
    """A take with the times of its film's stored frames, in ms since navigation start."""

    times_ms: tuple[float, ...]

    @property
    def end_ms(self) -> float:
        """When the take ended, since navigation start: settled, or at the campaign's limit."""
        if self.take.settled_ms is not None:
            return float(self.take.settled_ms)
        return float(self.times_ms[-1] if self.take.film.end_ms is None else self.take.film.end_ms)

    def progress(self) -> list[tuple[float, float]]:
        """Returns the curve of visual completeness. Raise ContractError where progress.json is missing or broken."""
        return [(float(ms), float(percent)) for ms, percent in read_progress(self.folder / PROGRESS).progress]

    @property
    def changed_ms(self) -> float:
        """The last visual change; the take's end where there was none or it is unknown."""
        changed = self.metrics["lvc_ms"]
        return self.end_ms if changed is None else float(changed)


def read_take(path: Path, root: Path) -> StoredTake:
    """Reads a take.json. Raise ContractError where it breaks its contract, or is in another run's folder."""
    value = read_object(path)
    check(value, "take.1", source=str(path))
    take = Take.of(value)
    expected = root / take.name.path
    if path.parent != expected:
        raise ContractError(f"{path.parent} contains the take of {take.name.path}; move it there or remove it.")
    return StoredTake(path.parent, take.digest, take)


def filmed(stored: StoredTake) -> FilmedTake:
    """Returns the take with its frames' times. Raise ContractError where frames.json does not fit the film."""
    times_ms = read_times_ms(stored.folder / FRAMES)
    if not times_ms:
        raise ContractError(f"{stored.folder / FRAMES} has no times; capture the take again.")
    return FilmedTake(stored.folder, stored.digest, stored.take, tuple(times_ms))


def whole(stored: StoredTake) -> FilmedTake:
    """Returns the same, and checks every file that take.json lists against its digest."""
    for needed in (stored.take.film.path, FRAMES):
        if needed not in stored.take.files:
            raise ContractError(f"{stored.folder / TAKE} does not list {needed} among its files.")
    stored.check_files()
    take = filmed(stored)
    if len(take.times_ms) != stored.take.film.frames:
        raise ContractError(
            f"{stored.folder / TAKE}: the film has {stored.take.film.frames} frames, but {FRAMES} has "
            f"{len(take.times_ms)} times; capture the take again."
        )
    return take


def read_wire(path: Path) -> WireReport:
    """Reads a wire report. Raise ContractError where it breaks its contract."""
    value = read_object(path)
    check(value, "wire.1", source=str(path))
    return WireReport.of(value)


def read_progress(path: Path) -> Progress:
    """Reads visual metrics and curve of a progress.json. Raise ContractError where it breaks its contract."""
    value = read_object(path)
    check(value, "progress.1", source=str(path))
    return Progress.of(value)


def read_responses(path: Path) -> list[Response]:
    """Reads the entries of a responses.json. Raise ContractError where it breaks its contract."""
    value = read_json(path)
    check(value, "responses.1", source=str(path))
    return [Response.of(entry) for entry in value]


def read_frames(path: Path) -> FrameTimes:
    """Reads a frames.json. Raise ContractError where it breaks its contract."""
    value = read_object(path)
    check(value, "frames.1", source=str(path))
    return FrameTimes.of(value)


def read_times_ms(path: Path) -> list[float]:
    """Reads the times of a frames.json: milliseconds since navigation start, one per stored frame."""
    return [float(ms) for ms in read_frames(path).times_ms]
