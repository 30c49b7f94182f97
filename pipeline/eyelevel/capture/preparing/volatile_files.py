"""The volatile parameters of each site of a campaign: a file that is frozen before the first run, like the mask."""

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
    """The files in the batch folder by site, each under its digest; a site that was captured without one has none.

    A site's file is that of its takes, else the one beside its recording, else the one in the batch folder, else what
    `learn` finds, which is stored beside the recording if that folder can be written to; None: do not learn. A site of
    which nothing can be learned has none. `expect` is told how many sites are learned. Raise BadInputError where the
    takes of a site name a file that is missing or changed, or two.
    """
    used: dict[str, set[str | None]] = {}
    for take in takes:
        used.setdefault(take.site, set()).add(take.provenance.volatile_digest)
    own = {read_volatile(path).recording: path for path in sorted(batch.volatile.glob("*.json"))}
    found: dict[str, Path] = {}
    lacking: list[Site] = []
    for site in sites:
        if site.name in used:
            path = _earlier(batch, site, used[site.name])
        else:
            beside = found_beside(site)
            # where nothing is to be learned, the batch has what another machine prepared
            if beside is None or (learn is None and site.digest in own):
                path = own.get(site.digest)
            else:
                path = _stored(batch, beside.read_bytes())
            if path is None:
                lacking.append(site)
        if path is not None:
            found[site.name] = path
    if learn is None:
        return found
    expect(len(lacking))
    for site in lacking:
        # two sites may have one recording
        path = own.get(site.digest) or _learned(batch, site, learn)
        if path is not None:
            found[site.name] = own[site.digest] = path
    return found


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
            f"{path} is missing or changed, the volatile parameters of the takes of {site.name}; restore the file or "
            "give another --out."
        )
    return path


def _learned(batch: BatchFolder, site: Site, learn: Learn) -> Path | None:
    found = learn(site)
    if found is None:
        return None
    data, place = volatile_bytes(found), place_of(site)
    if is_writable(place.parent):
        write_atomically(place, data)
    return _stored(batch, data)


def _stored(batch: BatchFolder, data: bytes) -> Path:
    batch.volatile.mkdir(parents=True, exist_ok=True)
    path = batch.volatile / f"{sha256_of_bytes(data)}.json"
    write_atomically(path, data)
    return path
