"""The motion mask of each site of a campaign: frozen before the first run, and the same for all stacks and networks."""

from collections.abc import Callable, Iterable, Mapping

from eyelevel.errors import BadInputError
from eyelevel.loads.beside import belongs, found, is_writable
from eyelevel.loads.site import Site, SiteMask
from eyelevel_core.batch_folder import BatchFolder
from eyelevel_core.batch_folder.masks import mask_name, masks_of_batch, read_mask, write_mask
from eyelevel_core.model.device import Viewport
from eyelevel_core.model.mask import Mask
from eyelevel_core.model.take import Take

# (site) -> its mask; None where its page cannot be loaded
Probe = Callable[[Site], Mask | None]


def masks(
    batch: BatchFolder, sites: Iterable[Site], takes: Iterable[Take], viewport: Viewport, *, probe: Probe | None
) -> dict[str, SiteMask]:
    """By site; a site that was captured without a mask stays without one. The files are in the batch folder then.

    `viewport` is that of pages on a desktop.
    A site's mask is that of its takes, else the one in the batch folder, else the one beside its recording, else what
    `probe` learns, which is stored beside the recording if that folder can be written to; None: do not probe. Raise
    BadInputError where the takes of a site name a mask that is missing, or two.
    """
    own = {digest: SiteMask(read_mask(path), path) for digest, path in masks_of_batch(batch.masks).items()}
    used = _used(takes)
    chosen: dict[str, SiteMask] = {}
    for site in sites:
        if site.name in used:
            mask = _earlier(batch, site, used[site.name], own)
        else:
            page = site.device.page(viewport)
            mask = next((one for one in own.values() if belongs(one.mask, site, page)), None)
            mask = mask or _stored(batch, _beside(site, page) or _probed(site, page, probe))
        if mask is not None:
            chosen[site.name] = mask
    return chosen


def _used(takes: Iterable[Take]) -> dict[str, set[str | None]]:
    """The masks that takes name, by site."""
    found: dict[str, set[str | None]] = {}
    for take in takes:
        found.setdefault(take.site, set()).add(take.provenance.mask_digest)
    return found


def _earlier(batch: BatchFolder, site: Site, digests: set[str | None], own: Mapping[str, SiteMask]) -> SiteMask | None:
    if len(digests) > 1:
        raise BadInputError(f"Takes of {site.name} in {batch.root} have different motion masks; give another --out.")
    digest = next(iter(digests))
    if digest is None:
        return None
    if digest not in own:
        raise BadInputError(
            f"{batch.masks / digest}.json is missing, the motion mask of the takes of {site.name}; "
            "restore the file or give another --out."
        )
    return own[digest]


def _beside(site: Site, viewport: Viewport) -> Mask | None:
    return found(site.recording.parent / mask_name(site.recording, viewport, site.device), site, viewport)


def _probed(site: Site, viewport: Viewport, probe: Probe | None) -> Mask | None:
    mask = None if probe is None else probe(site)
    folder = site.recording.parent
    if mask is not None and is_writable(folder):
        write_mask(mask, folder / mask_name(site.recording, viewport, site.device))
    return mask


def _stored(batch: BatchFolder, mask: Mask | None) -> SiteMask | None:
    if mask is None:
        return None
    path = batch.masks / f"{mask.digest}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_mask(mask, path)
    return SiteMask(mask, path)
