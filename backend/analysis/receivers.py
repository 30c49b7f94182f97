"""Requests an analysis after a vote, a verdict, an assignment to a session over quota, or an erasure.

Requests tables in depth when a study is closed, and sends the requested ones to a worker.
"""

import logging
import time
from typing import Any

from django.utils import timezone
from kombu.exceptions import OperationalError

from analysis.computing import in_depth
from analysis.signals import in_depth_wanted, votes_erased
from analysis.tasks import compute_in_depth, votes_arrived
from conformance.signals import judged
from ratings.signals import assignment_given, vote_stored
from studies.models import Study
from studies.signals import fielding_closed

log = logging.getLogger(__name__)
# a worker starts a message this many seconds after it was sent; until then the message covers everything stored
PATIENCE_S = 1.0
# of this process: study -> the time at which its last message is started
_under_way: dict[str, float] = {}


def connect() -> None:
    vote_stored.connect(call_for_analysis, dispatch_uid="analysis")
    judged.connect(call_for_analysis, dispatch_uid="analysis")
    assignment_given.connect(call_for_analysis, dispatch_uid="analysis")
    votes_erased.connect(call_for_analysis, dispatch_uid="analysis")
    fielding_closed.connect(ask_in_depth, dispatch_uid="analysis")
    in_depth_wanted.connect(call_in_depth, dispatch_uid="analysis")


def call_for_analysis(*, study_sha256: str, **_: Any) -> None:
    """Send a message to the worker, unless one is on its way.

    A message costs about as much as a vote. If the queue is down, no vote is lost, because `catch_up` finds them.
    """
    now = time.monotonic()
    if now < _under_way.get(study_sha256, 0.0):
        return
    try:
        votes_arrived.apply_async((study_sha256,), countdown=PATIENCE_S)
    except OperationalError as error:
        log.warning("The analysis of %s could not be queued: %s", study_sha256, error)
    else:
        _under_way[study_sha256] = now + PATIENCE_S


def ask_in_depth(*, study_sha256: str, **_: Any) -> None:
    """Request tables in depth, in case this was the study's last open fielding."""
    in_depth.ask(Study.objects.get(pk=study_sha256), timezone.now())


def call_in_depth(*, result_id: int, **_: Any) -> None:
    """Send a message to the worker; `in_depth.resume` sends a lost one again."""
    try:
        compute_in_depth.delay(result_id)
    except OperationalError as error:
        log.warning("The tables in depth of result %s could not be queued: %s", result_id, error)
