"""Decodes every clip of a batch before anything is sent; the platform does the same again."""

import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from eyelevel.errors import BadInputError
from eyelevel_core.batch_folder import ffprobe
from eyelevel_core.clip_rules import fault, revealing_names
from eyelevel_core.model.batch import Clip, Manifest


def check_clips(folder: Path, manifest: Manifest, *, checked: Callable[[int, int], None]) -> None:
    """Decodes all clips, in parallel on all processors; calls `checked` with the number of checked and of all clips.

    Raises BadInputError for a clip that differs from its entry in the manifest, and ffprobe.ProbeMissingError.
    """
    ffprobe.check_installed()
    names = revealing_names(manifest)
    checked(0, len(manifest.clips))
    pool = ThreadPoolExecutor(max_workers=os.cpu_count() or 1)
    try:
        probes: dict[Future[dict[str, Any]], Clip] = {
            pool.submit(ffprobe.probe, folder / clip.path): clip for clip in manifest.clips
        }
        for done, probed in enumerate(as_completed(probes), 1):
            clip = probes[probed]
            if (wrong := fault(probed.result(), clip, names=names)) is not None:
                raise BadInputError(
                    f"{folder / clip.path} is not the clip that the manifest declares: {wrong}. Nothing was sent; "
                    "build the batch again with `eyelevel batch`."
                )
            checked(done, len(manifest.clips))
    finally:
        pool.shutdown(cancel_futures=True)
