"""Makes the clips of a batch, two at a time, and saves each clip that agrees with its films."""

import os
import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from eyelevel.batch.compose import part, pictures, size_px
from eyelevel.batch.encode import encode
from eyelevel.batch.looked_at import Measure, clip_metrics, look_at, ssim
from eyelevel.batch.made import AUDIENCES, QUANTIZERS, MadeClip, MadeClips, key
from eyelevel.batch.manifest import Clip
from eyelevel.batch.planar import Picture
from eyelevel.batch.planned import LeftOut, Plan
from eyelevel.disk import RESERVE_BYTES, room
from eyelevel.errors import EyelevelError
from eyelevel_core.batch_folder import BatchFolder
from eyelevel_core.contracts import sha256_of_file

# each uses one more thread for an encoder or a decoder, and holds the pictures of one clip in memory
AT_ONCE = 2
OTHER_ORDER = "its other order does not agree with its film"


class DisagreesError(EyelevelError):
    """A clip differs from its films, no matter how well it is encoded."""


def make_clips(
    folder: BatchFolder,
    plans: Sequence[Plan],
    *,
    ffmpeg: str,
    measure: Measure,
    done: Callable[[], None],
) -> tuple[list[Clip], list[LeftOut]]:
    """Makes the clips of `plans`, in their order, except those that exist with the right digest.

    `done` is called once per clip. A clip that differs from its film is left out, and with it the other order of its
    pair. Raises DisagreesError if none is left for participants, and DiskFullError if the disk is full.
    """
    for audience in AUDIENCES:
        for left in folder.clips(audience).glob(".*.part"):  # of a killed build, maybe with a running encoder
            left.unlink()
    made_before = MadeClips(folder)
    made_clips: dict[str, MadeClip] = {}
    wanted: dict[str, Plan] = {}
    for plan in plans:
        name = key(plan, ffmpeg)
        existing = made_before.find(name)
        if existing is None:
            wanted[name] = plan
        else:
            made_clips[name] = existing
            done()
    disagree: dict[str, str] = {}
    with ThreadPoolExecutor(max_workers=min(AT_ONCE, os.cpu_count() or 1)) as pool:
        futures = {pool.submit(_make, folder, plan, name, measure): name for name, plan in wanted.items()}
        try:
            for future in as_completed(futures):
                try:
                    made_clips[futures[future]] = future.result()
                except DisagreesError as error:
                    disagree[futures[future]] = str(error)
                else:
                    made_before.save(futures[future], made_clips[futures[future]])
                done()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    named = [(plan, key(plan, ffmpeg)) for plan in plans]
    torn = {plan.whole for plan, name in named if name in disagree}
    left_out = [LeftOut(plan, disagree.get(name, OTHER_ORDER)) for plan, name in named if plan.whole in torn]
    if not any(plan.audience == "participant" for plan, _ in named if plan.whole not in torn):
        raise DisagreesError(_none_is_left(left_out))
    return [_clip(plan, made_clips[name]) for plan, name in named if plan.whole not in torn], left_out


def _make(batch: BatchFolder, plan: Plan, name: str, measure: Measure) -> MadeClip:
    folder = batch.clips(plan.audience)
    folder.mkdir(exist_ok=True)
    file = folder / f".{name}.{os.getpid()}.part"
    try:
        with room(batch.root, needed_bytes=RESERVE_BYTES):
            encoded = _encoded(plan, file, measure)
            _mark(file, name)
            clip = MadeClip(**vars(encoded), sha256=sha256_of_file(file), bytes=file.stat().st_size)
            file.replace(batch.root / batch.clip_path(plan.audience, clip.sha256))
    finally:
        file.unlink(missing_ok=True)
    return clip


@dataclass(frozen=True)
class _Encoded:
    """The part of a MadeClip that is known before its file is marked."""

    quantizer: int
    measured: tuple[Mapping[str, float | None], ...] | None
    by_colours: tuple[str, ...] | None
    ssim: float | None


def _encoded(plan: Plan, to: Path, measure: Measure) -> _Encoded:
    wrong: list[str] = []
    for quantizer in QUANTIZERS:
        last = _encode(plan, quantizer, to)
        if plan.audience == "researcher":
            return _Encoded(quantizer, measured=None, by_colours=None, ssim=None)
        look = look_at(to, plan, measure, in_its_colours=lambda: _in_its_colours(plan, to, measure))
        if not look.wrong:
            return _Encoded(quantizer, tuple(look.measured), tuple(look.by_colours), _ends_alike(plan, last))
        wrong = look.wrong
        if look.hopeless:
            break
    raise DisagreesError(f"it does not agree with its film: {'; '.join(wrong)}")


def _encode(plan: Plan, quantizer: int, to: Path) -> Picture:
    """Write the clip; returns its last picture."""
    last = Picture(0, 0)

    def each(shown: Iterable[tuple[int, Picture]]) -> Iterable[tuple[int, Picture]]:
        nonlocal last
        for frame, picture in shown:
            last = picture
            yield frame, picture

    with closing(pictures(plan)) as shown:
        encode(each(shown), size=size_px(plan), frame_rate=plan.timing.frame_rate, quantizer=quantizer, to=to)
    return last


def _in_its_colours(plan: Plan, beside: Path, measure: Measure) -> list[dict[str, float | None]]:
    """The metrics of the films in a clip's fewer colours, without losses by the encoder."""
    lossless = beside.with_name(f"{beside.stem}.lossless.part")
    try:
        _encode(plan, 0, lossless)
        return clip_metrics(lossless, plan, [0], measure)[0]
    finally:
        lossless.unlink(missing_ok=True)


def _ends_alike(plan: Plan, last: Picture) -> float | None:
    return None if plan.kind == "single" else ssim(last.cut(*part(plan, 0)), last.cut(*part(plan, 1)))


def _none_is_left(left_out: Sequence[LeftOut]) -> str:
    first = left_out[0]
    return (
        f"No clip for participants is left, for example: {first.plan.name}: {first.why}. Measure film and clip to find "
        "the cause, or capture again."
    )


def _mark(clip: Path, name: str) -> None:
    """Append a `free` box, which players skip, with the digest of the clip's inputs.

    A clip is identified by its bytes; without this box, two short loads that look the same would be one clip.
    """
    mark = bytes.fromhex(name)
    with clip.open("ab") as file:
        file.write(struct.pack(">I4s", 8 + len(mark), b"free") + mark)


def _clip(plan: Plan, made: MadeClip) -> Clip:
    return Clip(
        plan=plan,
        path=BatchFolder.clip_path(plan.audience, made.sha256),
        sha256=made.sha256,
        size_bytes=made.bytes,
        size_px=size_px(plan),
        quantizer=made.quantizer,
        measured=made.measured,
        by_colours=made.by_colours,
        ssim=made.ssim,
    )
