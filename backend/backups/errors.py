"""Errors of backups and restores, for a person to act on."""

from dataclasses import dataclass


class BackupError(Exception):
    """A backup cannot be made or restored; one sentence with the cure."""


@dataclass(frozen=True)
class Finding:
    """One part of the proof of a restore: whether it holds, and one sentence."""

    holds: bool
    text: str


class ProofError(BackupError):
    """The restored data are not those of the backup; nothing was changed."""

    def __init__(self, findings: list[Finding]) -> None:
        self.findings = findings
        wrong = " ".join(finding.text for finding in findings if not finding.holds)
        super().__init__(f"The restored data are not those of the backup, so nothing was changed. {wrong}")
