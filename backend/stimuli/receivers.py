"""Queues the probe of each stored video, and the requested commit of a batch."""

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
    """Send a message to the worker; if the queue is down, beat starts the same task later."""
    try:
        probe_videos.delay()
    except OperationalError as error:
        log.warning("The probe of a video could not be queued: %s", error)


def call_for_commit(sha256: str, **_: Any) -> None:
    """Send a message to the worker to commit a batch; if the queue is down, beat does so later."""
    try:
        commit_batch.delay(sha256)
    except OperationalError as error:
        log.warning("The commit of the batch %s could not be queued: %s", sha256, error)
