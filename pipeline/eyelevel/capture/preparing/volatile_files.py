"""Volatile parameters of the sites of a campaign: files that are fixed before the first run, like masks."""

from collections.abc import Callable, Iterable
from pathlib import Path

from eyelevel.errors import BadInputError
from eyelevel.loads.beside import found_beside, is_writable, place_of
from eyelevel.loads.site import Site
from eyelevel_core.batch_folder import BatchFolder
from eyelevel_core.batch_folder.files import write_atomically
from eyelevel_core.batch_folder.volatile import read_volatile, volatile_bytes
from eyelevel_core.contracts import sha256_of_bytes, sha256_of_file
from eyelevel_core.model.take import Take
from eyelevel_core.model.volatile import Volatile

# (site) -> its parameters; None where its page cannot be loaded
Learn = Callable[[Site], Volatile | None]


def volatile_files(
    batch: BatchFolder,
    sites: Iterable[Site],
    takes: Iterable[Take],
    *,
    learn: Learn | None,
    expect: Callable[[int], None] = lambda _: None,
) -> dict[str, Path]:
    """Returns the files in the batch folder by site, named by their digest; a site captured without one has none.

    A site's file is that of its takes, else the one beside its recording, else the one in the batch folder, else a new
    one from `learn`, which is also stored beside the recording if that folder is writable; None: do not learn. A site
    whose page cannot be loaded has none. `expect` gets the number of sites to load. Raises BadInputError if the takes
    of a site name two files, or one that is missing or changed.
    """
    used: dict[str, set[str | None]] = {}
    for take in takes:
        used.setdefault(take.site, set()).add(take.provenance.volatile_digest)
    stored = {read_volatile(path).recording: path for path in sorted(batch.volatile.glob("*.json"))}
    files: dict[str, Path] = {}
    lacking: list[Site] = []
    for site in sites:
        if site.name in used:
            path = _earlier(batch, site, used[site.name])
        else:
            beside = found_beside(site)
            # without learning, the batch has the file that another machine prepared
            if beside is None or (learn is None and site.digest in stored):
                path = stored.get(site.digest)
            else:
                path = _stored(batch, beside.read_bytes())
            if path is None:
                lacking.append(site)
        if path is not None:
            files[site.name] = path
    if learn is None:
        return files
    expect(len(lacking))
    for site in lacking:
        # two sites may have one recording
        path = stored.get(site.digest) or _learned(batch, site, learn)
        if path is not None:
            files[site.name] = stored[site.digest] = path
    return files


def _earlier(batch: BatchFolder, site: Site, digests: set[str | None]) -> Path | None:
    if len(digests) > 1:
        raise BadInputError(
            f"Takes of {site.name} in {batch.root} have different volatile parameters; give another --out."
        )
    digest = next(iter(digests))
    if digest is None:
        return None
    path = batch.volatile / f"{digest}.json"
    if not path.is_file() or sha256_of_file(path) != digest:
        raise BadInputError(
            f"The volatile parameters of the takes of {site.name}, {path}, are missing or changed; restore the file, "
            "or give another --out."
        )
    return path


def _learned(batch: BatchFolder, site: Site, learn: Learn) -> Path | None:
    learned = learn(site)
    if learned is None:
        return None
    data, place = volatile_bytes(learned), place_of(site)
    if is_writable(place.parent):
        write_atomically(place, data)
    return _stored(batch, data)


def _stored(batch: BatchFolder, data: bytes) -> Path:
    batch.volatile.mkdir(parents=True, exist_ok=True)
    path = batch.volatile / f"{sha256_of_bytes(data)}.json"
    write_atomically(path, data)
    return path
