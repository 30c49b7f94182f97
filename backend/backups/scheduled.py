"""The scheduled drill."""

import logging

from backups.drill import drill
from backups.errors import BackupError
from backups.models import Kind
from backups.runs import noted

log = logging.getLogger(__name__)


def run_drill() -> None:
    """Run a drill and record it; a failure is in the log and on the page of health, and ends nothing else."""
    try:
        with noted(Kind.DRILL) as facts:
            report = drill(log.info)
            facts.votes = report.header.votes
            facts.sentences = [finding.text for finding in report.findings]
    except BackupError as error:
        log.error("The drill of a restore failed: %s", error)  # noqa: TRY400 - the sentence says all of it
