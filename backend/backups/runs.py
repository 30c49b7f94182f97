"""Records backups, restores and drills, for the page of health."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime

from django.utils import timezone

from backups.errors import BackupError, ProofError
from backups.models import BackupRun, Kind
from lib.room import FULL


@dataclass
class Noted:
    """What a run notes about itself."""

    bytes: int | None = None
    votes: int | None = None
    sentences: list[str] = field(default_factory=list)


@contextmanager
def noted(kind: Kind) -> Iterator[Noted]:
    """Record the run once the block has ended, with the reason if it failed; a full disk is a BackupError."""
    begun_at, facts = timezone.now(), Noted()
    try:
        yield facts
    except BackupError as error:
        own = [finding.text for finding in error.findings] if isinstance(error, ProofError) else [str(error)]
        _record(kind, begun_at, facts, own, ok=False)
        raise
    except OSError as error:
        if error.errno not in FULL:
            _record(kind, begun_at, facts, [_broke_off(error)], ok=False)
            raise
        full = BackupError("The disk is full, so it broke off and nothing was changed; make room and try again.")
        _record(kind, begun_at, facts, [str(full)], ok=False)
        raise full from error
    except BaseException as error:
        _record(kind, begun_at, facts, [_broke_off(error)], ok=False)
        raise
    _record(kind, begun_at, facts, facts.sentences, ok=True)


def last(kind: Kind) -> BackupRun | None:
    return BackupRun.objects.filter(kind=kind).first()


def _broke_off(error: BaseException) -> str:
    return f"It broke off: {type(error).__name__}."


def _record(kind: Kind, begun_at: datetime, facts: Noted, sentences: list[str], *, ok: bool) -> None:
    BackupRun.objects.create(
        kind=kind,
        begun_at=begun_at,
        ended_at=timezone.now(),
        ok=ok,
        bytes=facts.bytes,
        votes=facts.votes,
        sentences=sentences,
    )
