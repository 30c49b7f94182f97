"""Errors of backups and restores, for a person to act on."""


class BackupError(Exception):
    """A backup cannot be made or restored; one sentence with the cure."""
