"""Motion masks of the sites of a campaign: fixed before the first run, and equal for all stacks and networks."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from eyelevel.errors import BadInputError
from eyelevel.loads.beside import belongs, is_writable, matching_mask
from eyelevel.loads.site import Site, SiteMask
from eyelevel_core.batch_folder import BatchFolder
from eyelevel_core.batch_folder.masks import mask_name, masks_of_batch, read_mask, write_mask
from eyelevel_core.model.device import Viewport
from eyelevel_core.model.mask import Mask
from eyelevel_core.model.take import Take

# (sites) -> the mask of each; None where its page cannot be loaded
Probe = Callable[[Iterable[Site]], Iterable[tuple[Site, Mask | None]]]


def masks(
    batch: BatchFolder,
    sites: Iterable[Site],
    takes: Iterable[Take],
    viewport: Viewport,
    *,
    probe: Probe | None,
    expect: Callable[[int], None] = lambda _: None,
) -> dict[str, SiteMask]:
    """Returns the masks by site, and stores them in the batch folder; a site captured without a mask stays without one.

    A site's mask is that of its takes, else the one in the batch folder, else the one beside its recording, else a new
    one from `probe`, which is also stored beside the recording if that folder is writable; None: do not probe.
    `viewport` is that of pages on a desktop. `expect` gets the number of sites to probe. Raises BadInputError if the
    takes of a site name two masks, or one that is missing.
    """
    stored = {digest: SiteMask(read_mask(path), path) for digest, path in masks_of_batch(batch.masks).items()}
    used = _used(takes)
    chosen: dict[str, SiteMask] = {}
    lacking: list[Site] = []
    for site in sites:
        if site.name in used:
            mask = _earlier(batch, site, used[site.name], stored)
        else:
            page = site.device.page(viewport)
            beside = _beside(site, page)
            mask = _known(stored, site, page) or (None if beside is None else _stored(batch, beside))
            if mask is None:
                lacking.append(site)
        if mask is not None:
            chosen[site.name] = mask
    if probe is None:
        return chosen
    # two sites may have one recording and page
    alike: dict[tuple[str, str | None, str], list[Site]] = {}
    for site in lacking:
        alike.setdefault((site.digest, site.start_url, site.device.name), []).append(site)
    expect(len(alike))
    for site, learned in probe([sites[0] for sites in alike.values()]):
        if learned is not None:
            for other in alike[site.digest, site.start_url, site.device.name]:
                chosen[other.name] = _stored(batch, learned, beside=_place(other, other.device.page(viewport)))
    return chosen


def _known(stored: Mapping[str, SiteMask], site: Site, viewport: Viewport) -> SiteMask | None:
    """The site's mask in the batch folder."""
    return next((mask for mask in stored.values() if belongs(mask.mask, site, viewport)), None)


def _used(takes: Iterable[Take]) -> dict[str, set[str | None]]:
    """The masks that takes name, by site."""
    digests: dict[str, set[str | None]] = {}
    for take in takes:
        digests.setdefault(take.site, set()).add(take.provenance.mask_digest)
    return digests


def _earlier(
    batch: BatchFolder, site: Site, digests: set[str | None], stored: Mapping[str, SiteMask]
) -> SiteMask | None:
    if len(digests) > 1:
        raise BadInputError(f"Takes of {site.name} in {batch.root} have different motion masks; give another --out.")
    digest = next(iter(digests))
    if digest is None:
        return None
    if digest not in stored:
        raise BadInputError(
            f"The motion mask of the takes of {site.name}, {batch.masks / digest}.json, is missing; restore the file, "
            "or give another --out."
        )
    return stored[digest]


def _beside(site: Site, viewport: Viewport) -> Mask | None:
    return matching_mask(_place(site, viewport), site, viewport)


def _place(site: Site, viewport: Viewport) -> Path:
    return site.recording.parent / mask_name(site.recording, viewport, site.device)


def _stored(batch: BatchFolder, mask: Mask, *, beside: Path | None = None) -> SiteMask:
    """Store the mask in the batch folder, and in `beside` if its folder is writable."""
    if beside is not None and is_writable(beside.parent):
        write_mask(mask, beside)
    path = batch.masks / f"{mask.digest}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_mask(mask, path)
    return SiteMask(mask, path)
