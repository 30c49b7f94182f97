"""Files of takes and preparations, between a batch folder and the store."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from eyelevel.capture.blocks import keys
from eyelevel.capture.blocks.records import CampaignStore
from eyelevel.errors import EyelevelError
from eyelevel_core.batch_folder import BatchFolder
from eyelevel_core.batch_folder.takes import TAKE
from eyelevel_core.contracts import check_relative_path, sha256_of_file
from eyelevel_core.model.run import Run
from eyelevel_core.model.take import FileEntry


def upload_takes(shared: CampaignStore, batch: BatchFolder, runs: Iterable[Run]) -> dict[str, dict[str, FileEntry]]:
    """Upload the files of each run's take; returns their digests and sizes by the run's path."""
    uploaded = {}
    for run in runs:
        stored = batch.take(run)
        if stored is None:
            raise EyelevelError(f"{batch.take_folder(run)} was removed before it was uploaded.")
        stored.check_files()
        names = [*stored.take.files, TAKE]
        uploaded[run.path] = upload(shared, {name: stored.folder / name for name in names})
    return uploaded


def upload(shared: CampaignStore, files: Mapping[str, Path]) -> dict[str, FileEntry]:
    """Upload files under their digests; returns digest and size by name."""
    return {name: upload_file(shared, path) for name, path in files.items()}


def upload_file(shared: CampaignStore, path: Path) -> FileEntry:
    """Upload one file under its digest; returns digest and size."""
    entry = FileEntry(sha256=sha256_of_file(path), bytes=path.stat().st_size)
    shared.keep_file(entry, path)
    return entry


def download(shared: CampaignStore, files: Mapping[str, FileEntry], folder: Path) -> None:
    """Download files that the folder lacks. Raises EyelevelError if a stored file has another digest."""
    for name, entry in files.items():
        check_relative_path(name, source=shared.store.address)
        path = folder / name
        if path.is_file() and sha256_of_file(path) == entry.sha256:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        shared.store.download(keys.file(entry.sha256), path)
        if sha256_of_file(path) != entry.sha256:
            path.unlink()
            raise EyelevelError(
                f"{shared.store.address}/{keys.file(entry.sha256)} is damaged: its content has another digest. Delete "
                "it and the results that name it; their blocks will be filmed again."
            )
