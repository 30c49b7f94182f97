"""Requests an analysis after a vote, a verdict, an assignment to a session over quota, or an erasure."""

import logging
from typing import Any

from kombu.exceptions import OperationalError

from analysis.signals import votes_erased
from analysis.tasks import votes_arrived
from conformance.signals import judged
from ratings.signals import assignment_given, vote_stored

log = logging.getLogger(__name__)


def connect() -> None:
    vote_stored.connect(call_for_analysis, dispatch_uid="analysis")
    judged.connect(call_for_analysis, dispatch_uid="analysis")
    assignment_given.connect(call_for_analysis, dispatch_uid="analysis")
    votes_erased.connect(call_for_analysis, dispatch_uid="analysis")


def call_for_analysis(*, study_sha256: str, **_: Any) -> None:
    """Leave a message for the worker; a dead queue costs no vote, as `catch_up` looks for itself."""
    try:
        votes_arrived.delay(study_sha256)
    except OperationalError as error:
        log.warning("No message for the analysis of %s: %s", study_sha256, error)
