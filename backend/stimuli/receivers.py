"""Has each video of a batch probed as soon as it is stored."""

import logging
from typing import Any

from kombu.exceptions import OperationalError

from stimuli.signals import video_stored
from stimuli.tasks import probe_videos

log = logging.getLogger(__name__)


def connect() -> None:
    video_stored.connect(call_for_probe, dispatch_uid="stimuli")


def call_for_probe(**_: Any) -> None:
    """Leave a message for the worker; a dead queue costs no probe, as beat starts the same task."""
    try:
        probe_videos.delay()
    except OperationalError as error:
        log.warning("No message for the probe of a video: %s", error)
