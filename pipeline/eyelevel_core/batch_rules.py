"""Checks a batch: its manifest, and each take.json against the manifest.

`eyelevel push` applies them before it sends anything, and the platform applies them again.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sized
from typing import Any

from eyelevel_core.contracts import ContractError, check, check_relative_path, parse_json, sha256_of_json
from eyelevel_core.model.batch import Clip, ListedTake, Manifest
from eyelevel_core.model.device import device_of
from eyelevel_core.model.metrics import complete
from eyelevel_core.model.take import FileEntry, Take

SOURCE = "manifest.json"
MAX_FILE_BYTES = 2 * 1024**3


def parse_manifest(data: bytes, *, max_entries: int | None = None) -> Manifest:
    """Parses the manifest of a batch; raises ContractError with one sentence that names the faulty field.

    `max_entries` is the platform's limit for files, takes and clips each; a sender does not know it.
    """
    value = _json(data, source=SOURCE)
    if max_entries is not None:
        _check_entries(value, max_entries)
    check(value, "batch.1", source=SOURCE)
    manifest = Manifest.of(value)
    _check_files(manifest.files)
    named = {
        "sites": [site.name for site in manifest.sites],
        "networks": [network.name for network in manifest.networks],
        "stacks": [stack.name for stack in manifest.stacks],
    }
    for field, names in named.items():
        _check_unique(field, names)
    _check_unique("takes", (take.digest for take in manifest.takes))
    _check_unique("clips", (clip.sha256 for clip in manifest.clips))
    for number, take in enumerate(manifest.takes):
        _check_take(f"takes[{number}]", take, manifest.files, named)
    takes = {take.digest: take for take in manifest.takes}
    for number, clip in enumerate(manifest.clips):
        _check_clip(f"clips[{number}]", clip, manifest.files, takes)
    return manifest


def for_participants(manifest: Manifest) -> list[Clip]:
    """Returns the clips that may become stimuli; clips for researchers contain painted metrics."""
    return [clip for clip in manifest.clips if clip.audience == "participant"]


def clips_of_takes(manifest: Manifest) -> dict[str, list[Clip]]:
    """Returns the clips for participants in which each take is shown, by the take's digest."""
    clips_by_take: dict[str, list[Clip]] = defaultdict(list)
    for clip in for_participants(manifest):
        for digest in clip.takes:
            clips_by_take[digest].append(clip)
    return clips_by_take


def check_takes(manifest: Manifest, read: Callable[[str], bytes], *, start: int = 0) -> Iterator[int]:
    """Checks takes in the manifest's order from number `start` on; yields after each the number of checked takes.

    `read` returns the bytes of a file by its path in the batch. Raises ContractError for the first take that does not
    fit the manifest.
    """
    clips = clips_of_takes(manifest)
    for number, take in enumerate(manifest.takes[start:], start + 1):
        check_take(read(take.path), take, manifest, clips.get(take.digest, ()))
        yield number


def check_take(data: bytes, declared: ListedTake, manifest: Manifest, clips: Iterable[Clip]) -> None:
    """Raises ContractError unless the bytes of a take.json fit the manifest's entry; `clips` show the take."""
    path = declared.path
    value = _json(data, source=path)
    check(value, "take.1", source=path)
    take = Take.of(value)
    networks = {network.name: network.digest for network in manifest.networks}
    stacks = {stack.name: stack.digest for stack in manifest.stacks}
    recordings = {site.name: site.recording for site in manifest.sites}
    devices = {site.name: site.device for site in manifest.sites}
    for key, value_of_take, expected in (
        ("site", take.site, declared.site),
        ("run", take.run, declared.run),
        ("outcome", take.outcome, declared.outcome),
        ("metrics", complete(take.metrics), complete(declared.metrics)),
        ("network", (take.network.name, take.network.digest), (declared.network, networks[declared.network])),
        ("stack", (take.stack.name, take.stack.digest), (declared.stack, stacks[declared.stack])),
        ("recording", take.recording, recordings[declared.site]),
        ("device", device_of(take.device).name, devices[declared.site]),
    ):
        if value_of_take != expected:
            raise ContractError(f"{path}: {key} is {value_of_take!r}, but the manifest says {expected!r}.")
    digest = sha256_of_json(value)
    _check_take_listing(path, take.files, manifest.files)
    _check_shown(take, list(clips))
    if digest != declared.digest:
        raise ContractError(f"{path}: its digest is {digest}, but the manifest says {declared.digest}.")


def _json(data: bytes, *, source: str) -> Any:
    try:
        return parse_json(data)
    except ValueError as error:
        raise ContractError(f"{source} is not JSON in UTF-8: {error}.") from None


def _check_entries(value: Any, most: int) -> None:
    """Limits the number of entries before the contract checks each of them."""
    for field in ("files", "takes", "clips", "sites", "networks", "stacks"):
        entries = value.get(field) if isinstance(value, dict) else None
        if isinstance(entries, Sized) and len(entries) > most:
            raise ContractError(
                f"{SOURCE}: {field} has {len(entries)} entries, but at most {most} are accepted; "
                "send smaller batches, or set EYELEVEL_MAX_BATCH_FILES on the server."
            )


def _check_files(files: Mapping[str, FileEntry]) -> None:
    sizes: dict[str, int] = {}
    for path, entry in files.items():
        if entry.bytes > MAX_FILE_BYTES:
            raise ContractError(f"{SOURCE}: {path} has {entry.bytes} bytes, but a file has at most {MAX_FILE_BYTES}.")
        check_relative_path(path, source=SOURCE)
        if not path.isprintable():
            raise ContractError(f"{SOURCE}: the path {path!r} contains a character that is not printable.")
        if path == "manifest.json":
            raise ContractError(f"{SOURCE}: files lists manifest.json itself, which cannot name its own digest.")
        if sizes.setdefault(entry.sha256, entry.bytes) != entry.bytes:
            raise ContractError(f"{SOURCE}: {path} has the digest of another file, but another size.")


def _check_unique(field: str, values: Iterable[str]) -> None:
    seen: set[str] = set()
    for value in values:
        if value in seen:
            raise ContractError(f"{SOURCE}: {field} names {value} twice.")
        seen.add(value)


def _check_take(
    where: str, take: ListedTake, files: Mapping[str, FileEntry], named: Mapping[str, Collection[str]]
) -> None:
    _check_listed(where, take.path, files)
    for kind, name in (("site", take.site), ("network", take.network), ("stack", take.stack)):
        if name not in named[f"{kind}s"]:
            raise ContractError(f"{SOURCE}: {where}.{kind} is {name!r}, which {kind}s does not name.")


def _check_clip(where: str, clip: Clip, files: Mapping[str, FileEntry], takes: Mapping[str, ListedTake]) -> None:
    path = clip.path
    _check_listed(where, path, files)
    if files[path].sha256 != clip.sha256:
        raise ContractError(f"{SOURCE}: {where}.sha256 is not the digest that files gives for {path}.")
    if not path.endswith(".mp4"):
        raise ContractError(f"{SOURCE}: {where}.path is {path!r}, but a clip is an .mp4 file.")
    runs = [clip.run] * len(clip.takes) if clip.runs is None else list(clip.runs)
    if len(runs) != len(clip.takes) or clip.run not in runs:
        raise ContractError(f"{SOURCE}: {where}.runs is {runs}, which does not fit its takes and its run {clip.run}.")
    if clip.metrics is not None and len(clip.metrics) != len(clip.takes):
        raise ContractError(f"{SOURCE}: {where}.metrics has {len(clip.metrics)} entries, but one per take is needed.")
    _check_purpose(where, clip)
    for digest, stack, run in zip(clip.takes, clip.stacks, runs, strict=True):
        take = takes.get(digest)
        if take is None:
            raise ContractError(f"{SOURCE}: {where}.takes names {digest}, which takes does not list.")
        for key, value, of_take in (
            ("site", clip.site, take.site),
            ("network", clip.network, take.network),
            ("run", run, take.run),
            ("stack", stack, take.stack),
        ):
            if of_take != value:
                raise ContractError(f"{SOURCE}: {where} has {key} {value!r}, but its take has {of_take!r}.")


def _check_purpose(where: str, clip: Clip) -> None:
    """Checks the purpose of a clip; with a wrong one, right answers of participants would count as wrong."""
    purpose, delays = clip.purpose, None if clip.delays_ms is None else list(clip.delays_ms)
    alike = len(set(clip.stacks)) == 1 and len(clip.stacks) == 2
    if (purpose == "control") != (delays is not None):
        raise ContractError(f"{SOURCE}: {where}.purpose is {purpose!r}; only control clips have delays_ms.")
    if delays is not None and (len(delays) != len(clip.takes) or sum(delay > 0 for delay in delays) != 1):
        raise ContractError(
            f"{SOURCE}: {where}.delays_ms is {delays}; it needs one number per take, and exactly one above 0."
        )
    if purpose != "control" and alike != (purpose == "identical"):
        shown = " beside ".join(clip.stacks)
        raise ContractError(f"{SOURCE}: {where}.purpose is {purpose!r}, which does not fit a clip that shows {shown}.")


def _check_listed(where: str, path: str, files: Mapping[str, FileEntry]) -> None:
    check_relative_path(path, source=SOURCE)
    if path not in files:
        raise ContractError(f"{SOURCE}: {where}.path is {path!r}, which files does not list.")


def _check_take_listing(path: str, files: Mapping[str, FileEntry], listed: Mapping[str, FileEntry]) -> None:
    folder = path.rpartition("/")[0]
    for name, entry in files.items():
        check_relative_path(name, source=path)
        # the lossless film stays on the capture machine
        in_batch = listed.get(f"{folder}/{name}" if folder else name)
        if in_batch is not None and in_batch.sha256 != entry.sha256:
            raise ContractError(f"{path}: {name} has another digest here than in the manifest.")


def _check_shown(take: Take, clips: Iterable[Clip]) -> None:
    """Checks that clips show the page as it was filmed; a higher clip has a panel, even if it is for participants."""
    height_px, pixel_ratio = take.film_size.height_px, device_of(take.device).pixel_ratio
    for clip in clips:
        if clip.pixel_ratio != pixel_ratio:
            raise ContractError(
                f"{SOURCE}: {clip.path} has the pixel_ratio {clip.pixel_ratio:g}, but its page was filmed with "
                f"{pixel_ratio:g}; participants would see it at another size."
            )
        if clip.height_px != height_px:
            raise ContractError(
                f"{SOURCE}: {clip.path} is for participants and {clip.height_px} pixels high, but its page was "
                f"filmed with {height_px}; participants must see only the page."
            )
