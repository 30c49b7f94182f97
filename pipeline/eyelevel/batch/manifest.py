"""The manifest: what a batch holds, as its contract says; plain values in, plain values out."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from eyelevel.batch.looked_at import ALIKE
from eyelevel.batch.planned import LeftOut, Plan, Plans
from eyelevel.errors import BadInputError
from eyelevel_core.batch_folder import FilmedTake
from eyelevel_core.batch_folder.takes import TAKE
from eyelevel_core.model.campaign import Campaign, ClipRules
from eyelevel_core.model.take import FileEntry


@dataclass(frozen=True)
class Clip:
    """A plan that has been carried out; `measured` has the metrics of each take as the clip shows them."""

    plan: Plan
    path: str
    sha256: str
    size_bytes: int
    size_px: tuple[int, int]
    quantizer: int
    measured: Sequence[Mapping[str, float | None]] | None
    by_colours: Sequence[str] | None
    ssim: float | None

    @property
    def duration_ms(self) -> float:
        return round(self.plan.timing.count * 1000 / self.plan.timing.frame_rate, 3)

    @property
    def differs(self) -> bool:
        """Whether the last pictures of a pair are not alike: then a load's end means two things."""
        return self.ssim is not None and self.ssim < ALIKE


def manifest(
    *,
    campaign: Campaign,
    campaign_file: FileEntry,
    takes: Sequence[FilmedTake],
    why_not: Mapping[str, str],
    plans: Plans,
    clips: Sequence[Clip],
    left_out: Sequence[LeftOut],
    other_files: Mapping[str, FileEntry],
    tools: Mapping[str, str | None],
) -> dict[str, Any]:
    """A value of the contract batch.1, the same for the same batch.

    `campaign_file` is the entry of campaign.toml, `other_files` are those of fidelity.json and report.json,
    where there are such, and of the takes' files, by path. `why_not` says by digest why no clip may show a take.
    Raise BadInputError as `nouns` does.
    """
    clip_files = {clip.path: FileEntry(clip.sha256, clip.size_bytes, "video/mp4") for clip in clips}
    files = {"campaign.toml": campaign_file, **other_files, **clip_files}
    return {
        "contract": "eyelevel/batch/1",
        "campaign": {"name": campaign.name, "sha256": campaign_file.sha256, "seed": campaign.seed},
        **nouns(takes),
        "takes": [_take(take, why_not.get(take.digest)) for take in takes],
        "clips": [_clip(clip) for clip in clips],
        **({"left_out": [{**_shows(left.plan), "why": left.why} for left in left_out]} if left_out else {}),
        "showing": showing(takes, plans, campaign.clips),
        "files": {path: entry.as_json() for path, entry in sorted(files.items())},
        "tools": dict(tools),
    }


def nouns(takes: Sequence[FilmedTake]) -> dict[str, Any]:
    """The sites, networks and stacks of the takes; raise BadInputError where two mean different things by one name."""
    return {
        "sites": _same("site", [_site(take) for take in takes]),
        "networks": _same("network", [one.take.network.as_json() for one in takes]),
        "stacks": _same("stack", [one.take.stack.as_json() for one in takes]),
    }


def _site(take: FilmedTake) -> dict[str, Any]:
    return {"name": take.site, "recording": take.take.recording, "start_url": take.take.start_url}


def _same(noun: str, values: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    named: dict[str, dict[str, Any]] = {}
    for value in values:
        known = named.setdefault(value["name"], value)
        if known != value:
            raise BadInputError(
                f"Two takes mean different things by the {noun} {value['name']}; use another --out for the new ones."
            )
    return [named[name] for name in sorted(named)]


def _take(take: FilmedTake, why_not: str | None) -> dict[str, Any]:
    value = {
        "digest": take.digest,
        "path": f"{take.path}/{TAKE}",
        "site": take.site,
        "network": take.network,
        "stack": take.stack,
        "cache": take.cache,
        "run": take.run,
        "outcome": take.take.outcome,
        "metrics": dict(take.metrics),
    }
    return value if why_not is None else {**value, "not_shown": why_not}


def showing(takes: Sequence[FilmedTake], plans: Plans, rules: ClipRules) -> dict[str, Any]:
    """By which rules the clips were made, when each scene ends, and which runs of each setting are shown."""
    runs = Counter((take.scene, take.stack) for take in takes if take.cache == "cold")
    slowest: dict[tuple[str, str], float] = {}
    for (scene, _), roles in plans.shown.items():
        for ms in (take.metrics["lvc_ms"] for take in roles.values()):
            if ms is not None:
                slowest[scene] = max(ms, slowest.get(scene, ms))
    return {
        "still_ms": rules.still_ms,
        "after_ms": rules.after_ms,
        "cap_ms": rules.cap_ms,
        "quantiles": list(rules.quantiles),
        "paired": rules.paired,
        "identical": rules.identical,
        "control_delay_ms": rules.control_delay_ms,
        "alike_from_ssim": ALIKE,
        "scenes": [
            {
                "site": scene[0],
                "network": scene[1],
                "slowest_lvc_ms": slowest.get(scene),
                "end_ms": times.end_ms,
                "cut": slowest.get(scene, 0.0) > times.last_ms,
                "frame_rate": times.frame_rate,
            }
            for scene, times in sorted(plans.timings.items())
        ],
        "settings": [
            {
                "site": scene[0],
                "network": scene[1],
                "stack": stack,
                "runs": runs[scene, stack],
                "shown": [{"role": role, "run": take.run} for role, take in roles.items()],
            }
            for (scene, stack), roles in sorted(plans.shown.items())
        ],
    }


def _shows(plan: Plan) -> dict[str, Any]:
    """What a clip shows, whether it was made or not."""
    site, network = plan.takes[0].scene
    return {
        "kind": plan.kind,
        "audience": plan.audience,
        "purpose": plan.purpose,
        "site": site,
        "network": network,
        "run": plan.run,
        "role": plan.role,
        "takes": [take.digest for take in plan.takes],
        "stacks": [take.stack for take in plan.takes],
        "runs": [take.run for take in plan.takes],
        **({"delays_ms": list(plan.delays_ms)} if plan.held_back else {}),
    }


def _clip(clip: Clip) -> dict[str, Any]:
    plan = clip.plan
    value = {
        "sha256": clip.sha256,
        "path": clip.path,
        **_shows(plan),
        "width_px": clip.size_px[0],
        "height_px": clip.size_px[1],
        "start_ms": round(plan.timing.start_ms, 3),
        "duration_ms": clip.duration_ms,
        "frame_rate": plan.timing.frame_rate,
        "quantizer": clip.quantizer,
    }
    if clip.measured is not None:
        value["measured"] = [dict(metrics) for metrics in clip.measured]
    if clip.by_colours:
        value["agrees_by_colours"] = list(clip.by_colours)
    if clip.ssim is not None:
        value |= {"last_pictures_ssim": clip.ssim, "last_pictures_differ": clip.differs}
    return value
