"""Errors of backups and restores."""

from dataclasses import dataclass

from eyelevel.errors import Exit


class BackupError(Exception):
    """A backup cannot be made or restored; the message says what to do. The command ends with `exit_status`."""

    exit_status = Exit.FAILED


class BadInputError(BackupError):
    """The backup, its place, or the key or passphrase for it is wrong."""

    exit_status = Exit.BAD_INPUT


class NoRoomError(BackupError):
    """The disk has too little free space."""

    exit_status = Exit.NO_ROOM


@dataclass(frozen=True)
class Finding:
    """Result of one check of a restore: whether it passed (`holds`), and a sentence."""

    holds: bool
    text: str


class ProofError(BackupError):
    """The restored data differ from the backup; nothing was changed."""

    def __init__(self, findings: list[Finding]) -> None:
        self.findings = findings
        wrong = " ".join(finding.text for finding in findings if not finding.holds)
        super().__init__(f"The restored data differ from the backup, so nothing was changed. {wrong}")
