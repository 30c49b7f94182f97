"""Checks of a batch's manifest: contract, paths, and consistency of its parts."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from eyelevel_core.contracts import ContractError, check, check_relative_path, sha256_of_json

SOURCE = "manifest.json"


def parse(data: bytes) -> dict[str, Any]:
    """The manifest; raises ContractError with one sentence that names the culprit."""
    try:
        manifest = json.loads(data.decode(), parse_constant=_no_constant)
    except RecursionError:
        raise ContractError(f"{SOURCE}: this is nested too deeply to be a manifest.") from None
    except ValueError as error:
        raise ContractError(f"{SOURCE}: this is no JSON in UTF-8: {error}.") from None
    check(manifest, "batch.1", source=SOURCE)
    _check_files(manifest["files"])
    for field, key in (("sites", "name"), ("networks", "name"), ("stacks", "name"), ("takes", "digest")):
        _check_unique(field, (item[key] for item in manifest[field]))
    _check_unique("clips", (clip["sha256"] for clip in manifest["clips"]))
    named = {field: {item["name"] for item in manifest[field]} for field in ("sites", "networks", "stacks")}
    for number, take in enumerate(manifest["takes"]):
        _check_take(f"takes[{number}]", take, manifest["files"], named)
    takes = {take["digest"]: take for take in manifest["takes"]}
    for number, clip in enumerate(manifest["clips"]):
        _check_clip(f"clips[{number}]", clip, manifest["files"], takes)
    return manifest  # type: ignore[no-any-return]  # json gives Any; the contract holds


def for_participants(manifest: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The clips that may become stimuli; those for researchers have metrics painted into them."""
    return [clip for clip in manifest["clips"] if clip.get("audience", "participant") == "participant"]


def check_take_file(data: bytes, declared: Mapping[str, Any], manifest: Mapping[str, Any]) -> None:
    """Raise ContractError unless the bytes of a take.json fit what the manifest says of it."""
    path = declared["path"]
    try:
        take = json.loads(data.decode(), parse_constant=_no_constant)
    except RecursionError:
        raise ContractError(f"{path}: this is nested too deeply to be a take.") from None
    except ValueError as error:
        raise ContractError(f"{path}: this is no JSON in UTF-8: {error}.") from None
    check(take, "take.1", source=path)
    expected = {key: declared[key] for key in ("site", "run", "outcome", "metrics")}
    found = {key: take[key] for key in expected}
    for kind in ("network", "stack"):
        digests = {item["name"]: item["digest"] for item in manifest[f"{kind}s"]}
        expected[kind] = (declared[kind], digests[declared[kind]])
        found[kind] = (take[kind]["name"], take[kind]["digest"])
    recordings = {site["name"]: site["recording"] for site in manifest["sites"]}
    expected["recording"], found["recording"] = recordings[declared["site"]], take["recording"]
    for key, value in expected.items():
        if found[key] != value:
            raise ContractError(f"{path}: {key} is {found[key]!r}, but the manifest says {value!r}.")
    _check_take_listing(path, take["files"], manifest["files"])
    _check_height(take, manifest)
    if (digest := sha256_of_json(take)) != declared["digest"]:
        raise ContractError(f"{path}: its digest is {digest}, but the manifest says {declared['digest']}.")


def _check_files(files: Mapping[str, Mapping[str, Any]]) -> None:
    sizes: dict[str, int] = {}
    for path, entry in files.items():
        check_relative_path(path, source=SOURCE)
        if not path.isprintable():
            raise ContractError(f"{SOURCE}: the path {path!r} holds a character that is not printable.")
        if path == "manifest.json":
            raise ContractError(f"{SOURCE}: files lists manifest.json itself, which cannot name its own digest.")
        if sizes.setdefault(entry["sha256"], entry["bytes"]) != entry["bytes"]:
            raise ContractError(f"{SOURCE}: {path} has a digest that another file has with another size.")


def _check_unique(field: str, values: Iterable[str]) -> None:
    seen: set[str] = set()
    for value in values:
        if value in seen:
            raise ContractError(f"{SOURCE}: {field} names {value} twice.")
        seen.add(value)


def _check_take(where: str, take: Mapping[str, Any], files: Mapping[str, Any], named: Mapping[str, set[str]]) -> None:
    _check_listed(where, take["path"], files)
    for kind in ("site", "network", "stack"):
        if take[kind] not in named[f"{kind}s"]:
            raise ContractError(f"{SOURCE}: {where}.{kind} is {take[kind]!r}, which {kind}s does not name.")


def _check_clip(
    where: str, clip: Mapping[str, Any], files: Mapping[str, Any], takes: Mapping[str, Mapping[str, Any]]
) -> None:
    path = clip["path"]
    _check_listed(where, path, files)
    if files[path]["sha256"] != clip["sha256"]:
        raise ContractError(f"{SOURCE}: {where}.sha256 is not the digest that files gives for {path}.")
    if not path.endswith(".mp4"):
        raise ContractError(f"{SOURCE}: {where}.path is {path!r}, but a clip is an .mp4 file.")
    runs = clip.get("runs", [clip["run"]] * len(clip["takes"]))
    if len(runs) != len(clip["takes"]) or clip["run"] not in runs:
        raise ContractError(
            f"{SOURCE}: {where}.runs is {runs}, which does not fit its takes and its run {clip['run']}."
        )
    _check_purpose(where, clip)
    for digest, stack, run in zip(clip["takes"], clip["stacks"], runs, strict=True):
        take = takes.get(digest)
        if take is None:
            raise ContractError(f"{SOURCE}: {where}.takes names {digest}, which takes does not list.")
        for key, value in (
            ("site", clip["site"]),
            ("network", clip["network"]),
            ("run", run),
            ("stack", stack),
        ):
            if take[key] != value:
                raise ContractError(f"{SOURCE}: {where} has {key} {value!r}, but its take has {take[key]!r}.")


def _check_purpose(where: str, clip: Mapping[str, Any]) -> None:
    """A wrong purpose would make people's right answers wrong ones."""
    purpose, delays = clip.get("purpose", "study"), clip.get("delays_ms")
    alike = len(set(clip["stacks"])) == 1 and len(clip["stacks"]) == 2
    if (purpose == "control") != (delays is not None):
        raise ContractError(f"{SOURCE}: {where}.purpose is {purpose!r}; a control clip, and no other, has delays_ms.")
    if delays is not None and (len(delays) != len(clip["takes"]) or sum(delay > 0 for delay in delays) != 1):
        raise ContractError(
            f"{SOURCE}: {where}.delays_ms is {delays}; it has one number per take, of which just one is above 0."
        )
    if purpose != "control" and alike != (purpose == "identical"):
        shown = " beside ".join(clip["stacks"])
        raise ContractError(f"{SOURCE}: {where}.purpose is {purpose!r}, which does not fit a clip that shows {shown}.")


def _check_listed(where: str, path: str, files: Mapping[str, Any]) -> None:
    check_relative_path(path, source=SOURCE)
    if path not in files:
        raise ContractError(f"{SOURCE}: {where}.path is {path!r}, which files does not list.")


def _check_take_listing(path: str, own: Mapping[str, Any], listed: Mapping[str, Any]) -> None:
    folder = path.rpartition("/")[0]
    for name, entry in own.items():
        check_relative_path(name, source=path)
        # the lossless film stays on the capture machine
        in_batch = listed.get(f"{folder}/{name}" if folder else name)
        if in_batch is not None and in_batch["sha256"] != entry["sha256"]:
            raise ContractError(f"{path}: {name} has another digest here than in the manifest.")


def _check_height(take: Mapping[str, Any], manifest: Mapping[str, Any]) -> None:
    """A page is shown as it was filmed; a clip that is higher has a panel under it, whatever the manifest calls it."""
    digest, height_px = sha256_of_json(take), take["viewport"]["height_px"]
    for clip in for_participants(manifest):
        if digest in clip["takes"] and clip["height_px"] != height_px:
            raise ContractError(
                f"{SOURCE}: {clip['path']} is for participants and {clip['height_px']} pixels high, but its page was "
                f"filmed with {height_px}; a participant must see the page and nothing else."
            )


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no value; unknown is null")
