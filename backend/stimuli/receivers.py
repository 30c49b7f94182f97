"""Has each video of a batch probed as soon as it is stored, and the batch committed as soon as that is asked for."""

import logging
from typing import Any

from kombu.exceptions import OperationalError

from stimuli.signals import commit_begun, video_stored
from stimuli.tasks import commit_batch, probe_videos

log = logging.getLogger(__name__)


def connect() -> None:
    video_stored.connect(call_for_probe, dispatch_uid="stimuli")
    commit_begun.connect(call_for_commit, dispatch_uid="stimuli")


def call_for_probe(**_: Any) -> None:
    """Leave a message for the worker; a dead queue costs no probe, as beat starts the same task."""
    try:
        probe_videos.delay()
    except OperationalError as error:
        log.warning("No message for the probe of a video: %s", error)


def call_for_commit(sha256: str, **_: Any) -> None:
    """The same for a commit."""
    try:
        commit_batch.delay(sha256)
    except OperationalError as error:
        log.warning("No message for the commit of the batch %s: %s", sha256, error)
