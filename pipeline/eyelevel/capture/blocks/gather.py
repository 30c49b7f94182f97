"""Creates a normal batch folder from a campaign's store."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

from eyelevel.capture.blocks.files import download
from eyelevel.capture.blocks.plan import Block
from eyelevel.capture.blocks.ready import download_calibration
from eyelevel.capture.blocks.records import CampaignStore
from eyelevel_core.batch_folder import BatchFolder
from eyelevel_core.batch_folder.takes import TAKE
from eyelevel_core.contracts import sha256_of_file
from eyelevel_core.model.block_result import BlockResult
from eyelevel_core.model.take import FileEntry

# requests are limited by the store, not by the processor
AT_ONCE = 8


def gather(
    shared: CampaignStore, blocks: Sequence[Block], batch: BatchFolder, *, tell: Callable[[int, int], None]
) -> int:
    """Copy all complete blocks into the batch folder; returns the number of their takes.

    Skips takes that the folder has. `tell` receives the number of copied takes and of all takes.
    """
    names = {block.name for block in blocks}
    results = [result for name, of_block in shared.results().items() if name in names for result in of_block]
    complete = [result for result in results if result.complete]
    batch.root.mkdir(parents=True, exist_ok=True)
    for site in sorted({block.site for block in blocks}):
        prepared = shared.site(site)
        if prepared is not None:
            download(shared, prepared.files, batch.root)
    for calibration in {
        result.calibration.sha256: result.calibration for result in complete if result.calibration
    }.values():
        download_calibration(shared, calibration, batch)
    takes = [(batch, path, files) for result in complete for path, files in result.takes.items()]
    count = len(takes)
    for name, sentinel in shared.sentinels().items():
        folder = batch.sentinel_folder(*name.split("-", 1))
        takes += [(folder, path, files) for path, files in sentinel.takes.items()]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        copies = pool.map(lambda take: _take(shared, batch.scratch, *take), takes)
        for done, _ in enumerate(copies, start=1):
            tell(done, len(takes))
    _attempts(batch, results)
    return count


def _take(
    shared: CampaignStore, scratch_of: Path, batch: BatchFolder, path: str, files: Mapping[str, FileEntry]
) -> None:
    """Copy the folder of one take atomically."""
    place = batch.root / path
    if (place / TAKE).is_file() and sha256_of_file(place / TAKE) == files[TAKE].sha256:
        return
    scratch_of.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=scratch_of) as scratch:
        folder = Path(scratch) / "take"
        download(shared, files, folder)
        place.parent.mkdir(parents=True, exist_ok=True)
        if place.exists():
            # the take of an earlier result, whose block was filmed again
            place.rename(Path(scratch) / "before")
        folder.rename(place)


def _attempts(batch: BatchFolder, results: Iterable[BlockResult]) -> None:
    """Write attempts.jsonl in chronological order."""
    batch.attempts_file.unlink(missing_ok=True)
    for result in sorted(results, key=lambda result: (result.ended_at, result.block, result.attempt)):
        for line in result.attempts:
            batch.add_attempt(line)
