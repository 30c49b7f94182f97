"""Composes the manifest of a batch (contract batch.1). Plain values in, plain values out."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from eyelevel.batch.grid import censored, shown_metrics
from eyelevel.batch.looked_at import ALIKE
from eyelevel.batch.planned import LeftOut, Plan, Plans
from eyelevel.errors import BadInputError
from eyelevel_core.batch_folder import FilmedTake
from eyelevel_core.batch_folder.takes import TAKE
from eyelevel_core.model.batch import CampaignName, LeftOutClip, ListedTake, Manifest, SiteName
from eyelevel_core.model.batch import Clip as ListedClip
from eyelevel_core.model.campaign import Campaign, ClipRules
from eyelevel_core.model.device import device_of
from eyelevel_core.model.metrics import plain
from eyelevel_core.model.take import Definition, FileEntry


@dataclass(frozen=True)
class Clip:
    """A finished clip with its plan; `measured` has the metrics of each take as the clip shows them."""

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
    def cut(self) -> bool:
        """Whether the cap ends the clip before one of its takes settled."""
        return any(take.end_ms > self.plan.timing.end_ms for take in self.plan.takes)

    @property
    def moving(self) -> bool | None:
        """Whether one of its pages has motion that never ends; None without a motion mask."""
        motions = [take.take.motion for take in self.plan.takes]
        return None if None in motions else any(motion.appeared_ms for motion in motions if motion is not None)

    @property
    def differs(self) -> bool:
        """Whether the last pictures of a pair differ, so that the two loads do not end with the same page."""
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
) -> Manifest:
    """Returns the manifest, which is equal for equal batches.

    `campaign_file` is the entry of campaign.toml. `other_files` are the entries of fidelity.json and report.json, if
    they exist, and of the takes' files, by path. `why_not` has the reasons why clips may not show takes, by digest.
    Raises BadInputError as `nouns` does.
    """
    clip_files = {clip.path: FileEntry(clip.sha256, clip.size_bytes, "video/mp4") for clip in clips}
    files = {"campaign.toml": campaign_file, **other_files, **clip_files}
    sites, networks, stacks = nouns(takes)
    return Manifest(
        campaign=CampaignName(campaign.name, campaign_file.sha256, campaign.seed),
        sites=sites,
        networks=networks,
        stacks=stacks,
        takes=tuple(_take(take, why_not.get(take.digest)) for take in takes),
        clips=tuple(_clip(clip) for clip in clips),
        left_out=tuple(LeftOutClip(**_shows(left.plan), why=left.why) for left in left_out),
        showing=showing(takes, plans, campaign.clips),
        files=dict(sorted(files.items())),
        tools=dict(tools),
    )


Named = TypeVar("Named", SiteName, Definition)


def nouns(
    takes: Sequence[FilmedTake],
) -> tuple[tuple[SiteName, ...], tuple[Definition, ...], tuple[Definition, ...]]:
    """Returns the sites, networks and stacks of the takes; raises BadInputError if a name has two definitions."""
    sites = [
        SiteName(filmed.site, filmed.take.recording, filmed.take.start_url, device_of(filmed.take.device).name)
        for filmed in takes
    ]
    return (
        _same("site", sites),
        _same("network", [filmed.take.network for filmed in takes]),
        _same("stack", [filmed.take.stack for filmed in takes]),
    )


def _same(noun: str, values: Sequence[Named]) -> tuple[Named, ...]:
    named: dict[str, Named] = {}
    for value in values:
        known = named.setdefault(value.name, value)
        if known != value:
            raise BadInputError(
                f"The {noun} {value.name} is defined differently in two takes; use another --out for the new takes."
            )
    return tuple(named[name] for name in sorted(named))


def _take(take: FilmedTake, why_not: str | None) -> ListedTake:
    return ListedTake(
        digest=take.digest,
        path=f"{take.path}/{TAKE}",
        site=take.site,
        network=take.network,
        stack=take.stack,
        cache=take.cache,
        run=take.run,
        outcome=take.take.outcome,
        metrics=take.metrics,
        not_shown=why_not,
    )


def showing(takes: Sequence[FilmedTake], plans: Plans, rules: ClipRules) -> dict[str, object]:
    """Returns the rules of the clips, the end of each scene, and the runs of each setting that are shown."""
    runs = Counter((take.scene, take.stack) for take in takes if take.cache == "cold")
    shown: dict[tuple[str, str], list[FilmedTake]] = defaultdict(list)
    for (scene, _), roles in plans.shown.items():
        shown[scene] += roles.values()
    return {
        "still_ms": rules.still_ms,
        "tail_ms": rules.tail_ms,
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
                "settled_ms": _settled_ms(shown[scene]),
                "end_ms": times.end_ms,
                "cut": any(take.end_ms > times.end_ms for take in shown[scene]),
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


def _settled_ms(takes: Sequence[FilmedTake]) -> float | None:
    """The time at which the last take settled; None if one never did."""
    settled = [take.take.settled_ms for take in takes]
    return None if None in settled else max(ms for ms in settled if ms is not None)


def _shows(plan: Plan) -> dict[str, Any]:
    """The fields of a ClipSubject."""
    site, network = plan.takes[0].scene
    return {
        "kind": plan.kind,
        "audience": plan.audience,
        "purpose": plan.purpose,
        "site": site,
        "network": network,
        "run": plan.run,
        "role": plan.role,
        "takes": tuple(take.digest for take in plan.takes),
        "stacks": tuple(take.stack for take in plan.takes),
        "runs": tuple(take.run for take in plan.takes),
        "delays_ms": plan.delays_ms if plan.delay_frames else None,
    }


def _clip(clip: Clip) -> ListedClip:
    plan = clip.plan
    timings = [plan.timing_of(side) for side in range(len(plan.takes))]
    sides = zip(plan.takes, timings, strict=True)
    metrics = tuple(shown_metrics(take.metrics, take.progress(), times) for take, times in sides)
    plain_metrics = [plain(take.take.metrics) for take in plan.takes]
    return ListedClip(
        **_shows(plan),
        sha256=clip.sha256,
        path=clip.path,
        width_px=clip.size_px[0],
        height_px=clip.size_px[1],
        start_ms=round(plan.timing.start_ms, 3),
        duration_ms=clip.duration_ms,
        frame_rate=plan.timing.frame_rate,
        quantizer=clip.quantizer,
        cut=clip.cut,
        moving=clip.moving,
        metrics=metrics,
        measured=None if clip.measured is None else tuple(censored(clip.measured, plain_metrics, timings)),
        agrees_by_colours=tuple(clip.by_colours) if clip.by_colours else None,
        last_pictures_ssim=clip.ssim,
        last_pictures_differ=None if clip.ssim is None else clip.differs,
        pixel_ratio=device_of(plan.takes[0].take.device).pixel_ratio,
    )
