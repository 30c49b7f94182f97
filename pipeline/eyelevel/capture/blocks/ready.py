"""Prepares a machine for a block: downloads or makes the site preparation and the machine's calibration."""

from collections.abc import Callable, Collection
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from eyelevel.capture.attempts.attempt import CaptureContext
from eyelevel.capture.attempts.this_machine import boot, machine_name, this_machine
from eyelevel.capture.blocks import keys
from eyelevel.capture.blocks.files import download, upload, upload_file
from eyelevel.capture.blocks.records import CampaignStore
from eyelevel.errors import PageFailedError
from eyelevel_core.batch_folder import BatchFolder
from eyelevel_core.contracts import sha256_of_file
from eyelevel_core.model.block_result import PreparedSite, SharedMachine
from eyelevel_core.model.take import FileEntry

CALIBRATION = "calibration.json"
# machines change: temperature, other tenants, updates
CALIBRATION_AGE = timedelta(days=1)

# (context, made: create missing files) -> the context with its sites' files, and the sites that cannot be checked
Prepare = Callable[[CaptureContext, bool], tuple[CaptureContext, Collection[str]]]


def with_site(shared: CampaignStore, context: CaptureContext, prepare: Prepare) -> CaptureContext:
    """Returns the context with the site's stored preparation; prepares the site if the store has none.

    Raises PageFailedError if the page cannot be checked.
    """
    (site,), batch = context.sites, context.batch
    known = shared.site(site.name)
    if known is None:
        _, failed = prepare(context, True)
        if failed:
            raise PageFailedError(f"the page of {site.name} cannot be checked", "The lines above give the reason.")
        names = _site_files(batch)
        entries = upload(shared, {name: batch.root / name for name in names})
        known = shared.offer_site(site.name, PreparedSite(files=entries, by=this_machine()))
        for name in names - known.files.keys():
            # another machine stored its preparation first
            (batch.root / name).unlink()
    download(shared, known.files, batch.root)
    return prepare(context, False)[0]


def with_calibration(
    shared: CampaignStore, context: CaptureContext, calibrate: Callable[[CaptureContext], CaptureContext]
) -> CaptureContext:
    """Returns the context with this machine's stored calibration if it is valid, else with a new one."""
    batch, machine, now = context.batch, this_machine(), datetime.now(UTC)
    known = shared.machine(machine.fingerprint)
    if known is not None and known.calibration is not None and _holds(known, now):
        download(shared, {CALIBRATION: known.calibration}, batch.root)
    before = _calibration(batch)
    calibrated = calibrate(context)
    if _calibration(batch) != before:
        entry = upload_file(shared, batch.calibration_file)
        at = now.isoformat(timespec="seconds")
        shared.keep_machine(
            SharedMachine(name=machine_name(), machine=machine, boot=boot(), calibration=entry, calibrated_at=at)
        )
    return calibrated


def download_calibration(shared: CampaignStore, entry: FileEntry, batch: BatchFolder) -> None:
    """Download a calibration as the batch's current one, or under its digest if the batch has another."""
    path = batch.calibration_file
    if path.is_file() and _calibration(batch) != entry.sha256:
        path = batch.earlier_calibration_file(entry.sha256)
    download(shared, {path.name: entry}, batch.root)


def _holds(known: SharedMachine, now: datetime) -> bool:
    if known.calibrated_at is None or known.boot != boot():
        return False
    return now - datetime.fromisoformat(known.calibrated_at) < CALIBRATION_AGE


def _calibration(batch: BatchFolder) -> str | None:
    return sha256_of_file(batch.calibration_file) if batch.calibration_file.is_file() else None


def _site_files(batch: BatchFolder) -> set[str]:
    folders = (batch.masks, batch.volatile, batch.checks)
    return {str(path.relative_to(batch.root)) for folder in folders for path in folder.glob("*.json")}


def site_context(context: CaptureContext, site: str) -> CaptureContext:
    """Returns the context reduced to one site."""
    return replace(context, sites=tuple(candidate for candidate in context.sites if candidate.name == site))


def prepared_sites(shared: CampaignStore) -> set[str]:
    """Returns the names of prepared sites."""
    names = (stored.key.removeprefix(keys.SITES).removesuffix(".json") for stored in shared.store.list(keys.SITES))
    return set(names)
