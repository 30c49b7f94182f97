"""The manifest: what a batch holds, as its contract says; plain values in, plain values out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from eyelevel.batch.plan import Plan
from eyelevel.batch.takes import Take
from eyelevel.errors import BadInputError


@dataclass(frozen=True)
class Clip:
    """A plan that has been carried out."""

    plan: Plan
    sha256: str
    size_bytes: int
    width_px: int
    height_px: int
    frames: int
    frame_rate: int

    @property
    def path(self) -> str:
        return f"clips/{self.sha256}.mp4"

    @property
    def duration_ms(self) -> float:
        return round(self.frames * 1000 / self.frame_rate, 3)


def manifest(
    *,
    campaign: Mapping[str, Any],
    campaign_file: Mapping[str, Any],
    takes: Sequence[Take],
    clips: Sequence[Clip],
    other_files: Mapping[str, Mapping[str, Any]],
    tools: Mapping[str, str | None],
) -> dict[str, Any]:
    """A value of the contract batch.1, the same for the same batch.

    `campaign_file` is the entry of campaign.toml, `other_files` are those of fidelity.json, where there
    is one, and of the takes' files, by path.
    Raise BadInputError as `nouns` does.
    """
    clip_files = {c.path: {"sha256": c.sha256, "bytes": c.size_bytes, "media_type": "video/mp4"} for c in clips}
    return {
        "contract": "eyelevel/batch/1",
        "campaign": {"name": campaign["name"], "sha256": campaign_file["sha256"], "seed": campaign["seed"]},
        **nouns(takes),
        "takes": [_take(take) for take in takes],
        "clips": [_clip(clip) for clip in clips],
        "files": dict(sorted({"campaign.toml": campaign_file, **other_files, **clip_files}.items())),
        "tools": dict(tools),
    }


def nouns(takes: Sequence[Take]) -> dict[str, Any]:
    """The sites, networks and stacks of the takes; raise BadInputError where two mean different things by one name."""
    return {
        "sites": _same("site", [_site(take) for take in takes]),
        "networks": _same("network", [dict(take.value["network"]) for take in takes]),
        "stacks": _same("stack", [dict(take.value["stack"]) for take in takes]),
    }


def take_path(take: Take) -> str:
    """The take's folder inside the batch."""
    return f"takes/{take.site}/{take.network}/{take.stack}/run-{take.run:02d}"


def _site(take: Take) -> dict[str, Any]:
    return {"name": take.site, "recording": take.value["recording"], "start_url": take.value["start_url"]}


def _same(noun: str, values: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    named: dict[str, dict[str, Any]] = {}
    for value in values:
        known = named.setdefault(value["name"], value)
        if known != value:
            raise BadInputError(
                f"Two takes mean different things by the {noun} {value['name']}; use another --out for the new ones."
            )
    return [named[name] for name in sorted(named)]


def _take(take: Take) -> dict[str, Any]:
    return {
        "digest": take.digest,
        "path": f"{take_path(take)}/take.json",
        "site": take.site,
        "network": take.network,
        "stack": take.stack,
        "run": take.run,
        "outcome": take.value["outcome"],
        "metrics": dict(take.value["metrics"]),
    }


def _clip(clip: Clip) -> dict[str, Any]:
    site, network, run = clip.plan.takes[0].scene
    return {
        "sha256": clip.sha256,
        "path": clip.path,
        "kind": clip.plan.kind,
        "site": site,
        "network": network,
        "run": run,
        "takes": [take.digest for take in clip.plan.takes],
        "stacks": [take.stack for take in clip.plan.takes],
        "width_px": clip.width_px,
        "height_px": clip.height_px,
        "duration_ms": clip.duration_ms,
        "frame_rate": clip.frame_rate,
    }
