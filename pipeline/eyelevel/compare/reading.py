"""Reads a batch folder for a comparison."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from eyelevel.compare.model import Batch, Load
from eyelevel.compare.phases import page_phases
from eyelevel.compare.traffic import traffic
from eyelevel.errors import BadInputError
from eyelevel_core.batch_folder import BatchFolder, StoredTake
from eyelevel_core.batch_folder.har import read_har
from eyelevel_core.batch_folder.takes import Watch
from eyelevel_core.comparability.model import Findings
from eyelevel_core.contracts import sha256_of_file, sha256_of_json
from eyelevel_core.model.device import device_of
from eyelevel_core.model.take import Definition

HAR = "page.har"


def read_batch(root: Path, watch: Watch = iter, *, phases: bool = False) -> Batch:
    """Reads a batch folder; raises BadInputError or ContractError, naming the file, if it is incomplete or invalid.

    `watch` iterates over the takes' paths, and may show progress. `phases`: also read each take's HAR.
    """
    folder = BatchFolder(root)
    campaign = folder.campaign()
    takes = folder.takes(watch)
    for take in takes:
        if take.network not in campaign.networks:
            raise BadInputError(
                f"{take.folder} is over {take.network}, which campaign.toml does not name; "
                "restore the campaign.toml of this batch."
            )
    loads = [_load(take, phases=phases) for take in takes]
    networks = list(campaign.networks)
    loads.sort(key=lambda load: (load.site, networks.index(load.network), load.stack, load.cache, load.run))
    scenes = folder.scenes()
    digest, remarks = _manifest(folder, {load.digest for load in loads})
    return Batch(
        campaign=campaign,
        campaigns=(campaign,),
        digest=digest,
        takes_digest=sha256_of_json(sorted(load.digest for load in loads)),
        loads=loads,
        attempts=folder.attempts(),
        findings=None if scenes is None else Findings.of(scenes),
        networks=_named("network", ((stored.folder, stored.take.network) for stored in takes)),
        stacks=_named("stack", ((stored.folder, stored.take.stack) for stored in takes)),
        remarks=remarks,
        checks=folder.replay_checks(),
        sentinels=[_load(take, phases=False) for sentinel in folder.sentinels() for take in sentinel.takes()],
    )


def _load(stored: StoredTake, *, phases: bool) -> Load:
    take = stored.take
    return Load(
        path=stored.path,
        digest=stored.digest,
        site=stored.site,
        recording=take.recording,
        network=stored.network,
        stack=stored.stack,
        cache=stored.cache,
        run=stored.run,
        settled=take.settled,
        metrics={name.removesuffix("_ms"): ms for name, ms in stored.metrics.items()},
        fidelity=take.fidelity,
        traffic=traffic(stored.wire()),
        lost_changes=take.film.lost_changes,
        unquiet_frames=take.film.unquiet_frames,
        late_ms=take.film.late_ms,
        zero_error_ms=take.film.zero_error_ms,
        clock_error_ms=take.film.clock_error_ms,
        tools=take.provenance.tools,
        servers_by=take.provenance.servers_by,
        page_seed=take.provenance.page_seed,
        mask_digest=take.provenance.mask_digest,
        volatile_digest=take.provenance.volatile_digest,
        pressure=take.pressure,
        next_began_ms=take.next_began_ms,
        motion=take.motion,
        phases_ms=_phases(stored) if phases else None,
        device=device_of(take.device),
        machine=take.provenance.machine,
    )


def _phases(stored: StoredTake) -> Mapping[str, float | None] | None:
    """The phases of a take; None if it lists no HAR."""
    if HAR not in stored.take.files:
        return None
    stored.check_files([HAR])
    path = stored.folder / HAR
    return page_phases(read_har(path))


def _named(noun: str, definitions: Iterable[tuple[Path, Definition]]) -> dict[str, Definition]:
    named: dict[str, Definition] = {}
    for folder, definition in definitions:
        if named.setdefault(definition.name, definition).digest != definition.digest:
            raise BadInputError(
                f"{folder}: the {noun} {definition.name} is defined differently in another take; "
                "takes of two definitions cannot be compared."
            )
    return dict(sorted(named.items()))


def _manifest(folder: BatchFolder, digests: set[str]) -> tuple[str | None, list[str]]:
    manifest = folder.manifest()
    if manifest is None:
        return None, ["The batch has no manifest yet, so the report names only its takes."]
    if {take.digest for take in manifest.takes} != digests:
        return None, [
            "The manifest does not list exactly these takes, because the campaign continued after it was written; the "
            "report does not name it."
        ]
    return sha256_of_file(folder.manifest_file), []
