"""Records backups, restores and drills, for the health page."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime

from django.utils import timezone

from backups.errors import BackupError, NoRoomError, ProofError
from backups.models import BackupRun, Kind
from lib.room import is_full


@dataclass
class Noted:
    """The values that a run records about itself."""

    bytes: int | None = None
    votes: int | None = None
    sentences: list[str] = field(default_factory=list)


@contextmanager
def noted(kind: Kind) -> Iterator[Noted]:
    """Record the run once the block has ended, with the reason if it failed; a full disk is a NoRoomError."""
    begun_at, facts = timezone.now(), Noted()
    try:
        yield facts
    except BackupError as error:
        sentences = [finding.text for finding in error.findings] if isinstance(error, ProofError) else [str(error)]
        _record(kind, begun_at, facts, sentences, ok=False)
        raise
    except BaseException as error:
        if not is_full(error):
            _record(kind, begun_at, facts, [f"An unexpected error stopped it: {type(error).__name__}."], ok=False)
            raise
        full = NoRoomError(f"The disk is full, so the {kind.label.lower()} failed. Free some space and run it again.")
        _record(kind, begun_at, facts, [str(full)], ok=False)
        raise full from error
    _record(kind, begun_at, facts, facts.sentences, ok=True)


def note_source(moment: datetime, *, votes: int) -> None:
    """Record the backup from which this platform was just restored."""
    _record(Kind.BACKUP, moment, Noted(votes=votes), ["This platform was restored from it."], ok=True, ended_at=moment)


def last(kind: Kind) -> BackupRun | None:
    return BackupRun.objects.filter(kind=kind).first()


def _record(
    kind: Kind,
    begun_at: datetime,
    facts: Noted,
    sentences: list[str],
    *,
    ok: bool,
    ended_at: datetime | None = None,
) -> None:
    BackupRun.objects.create(
        kind=kind,
        begun_at=begun_at,
        ended_at=ended_at or timezone.now(),
        ok=ok,
        bytes=facts.bytes,
        votes=facts.votes,
        sentences=sentences,
    )
