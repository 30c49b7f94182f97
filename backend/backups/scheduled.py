"""The scheduled drill."""

import logging
from datetime import timedelta

from django.utils import timezone

from backups.drill import drill
from backups.errors import BackupError
from backups.models import Kind
from backups.runs import last, noted
from lib.advisory_locks import locked

EVERY = timedelta(days=7)
log = logging.getLogger(__name__)


def run_drill_if_due() -> None:
    """Run a drill and record it, a week after the last one; a drill whose process was killed is repeated.

    A failure is logged and shown on the health page, and is not raised. A second message while the drill runs has no
    effect.
    """
    with locked("drill", wait=False) as free:
        if free:
            _run()


def _run() -> None:
    before = last(Kind.DRILL)
    if before is not None and timezone.now() - before.begun_at < EVERY:
        return
    try:
        with noted(Kind.DRILL) as facts:
            report = drill(log.info)
            facts.votes = report.header.votes
            facts.sentences = [finding.text for finding in report.findings]
    except BackupError as error:
        log.error("The restore drill failed: %s", error)  # noqa: TRY400 - the message is complete
