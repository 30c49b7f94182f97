"""Make the clips of a batch, several at a time, each saved as soon as it is made."""

import os
import struct
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing
from pathlib import Path
from typing import Any

from eyelevel.batch.compose import pictures, size_px
from eyelevel.batch.encode import encode
from eyelevel.batch.ledger import Ledger, key
from eyelevel.batch.manifest import Clip
from eyelevel.batch.plan import Plan
from eyelevel_contracts import sha256_of_file


def make_clips(
    batch_dir: Path, plans: Sequence[Plan], *, frame_rate: int, ffmpeg: str, done: Callable[[], None]
) -> list[Clip]:
    """Carry out `plans`, in their order; what is there already with the right digest is not made again.

    `done` is called once per clip. One encoder per processor works at a time, each with one thread.
    """
    folder = batch_dir / "clips"
    folder.mkdir(exist_ok=True)
    for left in folder.glob(".*.part"):  # of a build that was killed, maybe with an encoder that still writes
        left.unlink()
    ledger = Ledger(batch_dir)
    made: dict[str, dict[str, Any]] = {}
    wanted: dict[str, Plan] = {}
    for plan in plans:
        name = key(plan, frame_rate, ffmpeg)
        found = ledger.find(name)
        if found is None:
            wanted[name] = plan
        else:
            made[name] = found
            done()
    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        futures = {pool.submit(_make, plan, name, frame_rate, folder): name for name, plan in wanted.items()}
        try:
            for future in as_completed(futures):
                made[futures[future]] = future.result()
                ledger.save(futures[future], made[futures[future]])
                done()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return [_clip(plan, frame_rate, made[key(plan, frame_rate, ffmpeg)]) for plan in plans]


def _make(plan: Plan, name: str, frame_rate: int, folder: Path) -> dict[str, Any]:
    part = folder / f".{name}.{os.getpid()}.part"
    try:
        with closing(pictures(plan, frame_rate)) as frames:
            count = encode(frames, size=size_px(plan), frame_rate=frame_rate, to=part)
        _mark(part, name)
        digest = sha256_of_file(part)
        size_bytes = part.stat().st_size
        part.replace(folder / f"{digest}.mp4")
    finally:
        part.unlink(missing_ok=True)
    return {"sha256": digest, "bytes": size_bytes, "frames": count}


def _mark(clip: Path, name: str) -> None:
    """Append a `free` box, which players skip, with the digest of what the clip was made of.

    A clip is named by its bytes, and two short loads may well look alike: without it they would be one clip.
    """
    mark = bytes.fromhex(name)
    with clip.open("ab") as file:
        file.write(struct.pack(">I4s", 8 + len(mark), b"free") + mark)


def _clip(plan: Plan, frame_rate: int, made: dict[str, Any]) -> Clip:
    width, height = size_px(plan)
    return Clip(
        plan=plan,
        sha256=made["sha256"],
        size_bytes=made["bytes"],
        width_px=width,
        height_px=height,
        frames=made["frames"],
        frame_rate=frame_rate,
    )
