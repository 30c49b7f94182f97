"""Snapshots: reads a study in one transaction, writes Parquet files, and names them by their digest."""

import contextlib
from collections.abc import Iterator

from django.db import transaction

from analysis.models import AnalysisState, Result, Snapshot
from analysis.snapshots import plays
from analysis.snapshots.columns import EXCLUSIONS_FILE, FILES, PLAYS_FILE, SESSIONS_FILE, VERDICTS_FILE, VOTES_FILE
from analysis.snapshots.files import drop, put
from analysis.snapshots.parquet import parquet_bytes
from analysis.snapshots.queries import Rows, read
from eyelevel_core.contracts import canonical_json, check, sha256_of_bytes
from eyelevel_core.contracts.columns import export_columns
from lib.advisory_locks import locked

MEDIA_TYPE = "application/vnd.apache.parquet"
SESSION_OF_VOTE = [column.name for column in export_columns()].index("session_id")
TRIES = 5
# the lock of a backup, which copies the files
FILES_HELD = "snapshot files"


class ErasedMeanwhileError(Exception):
    """Votes were erased while their snapshot was made, again and again."""


def take_snapshot(study_sha256: str) -> Snapshot:
    """The snapshot of the study's votes as they are now; the same votes give the same snapshot.

    Begins anew where a participant was erased meanwhile; raises ErasedMeanwhileError where that does not end.
    """
    for _ in range(TRIES):
        snapshot = _store_rows(study_sha256, read(study_sha256))
        if snapshot is not None:
            return snapshot
    raise ErasedMeanwhileError(f"Participants of {study_sha256} are being erased; the next analysis leaves them out.")


def _store_rows(study_sha256: str, rows: Rows) -> Snapshot | None:
    """Write the files, then the row; None, and no files left, where there was an erasure since the rows were read."""
    own = {
        VOTES_FILE: rows.votes,
        SESSIONS_FILE: rows.sessions,
        EXCLUSIONS_FILE: rows.exclusions,
        VERDICTS_FILE: rows.verdicts,
        PLAYS_FILE: rows.plays,
    }
    files = {name: parquet_bytes(columns, own[name]) for name, columns in FILES.items()}
    manifest = manifest_of(study_sha256, files, votes=len(rows.votes), sessions=len(rows.sessions))
    text = canonical_json(manifest)
    digest = sha256_of_bytes(text)
    put(digest, {**files, "snapshot.json": text})
    with transaction.atomic():
        AnalysisState.objects.get_or_create(study_id=study_sha256)
        # an erasure waits for this row, or has been here before us
        state = AnalysisState.objects.select_for_update().get(study_id=study_sha256)
        if state.erasures == rows.erasures:
            snapshot, _ = Snapshot.objects.update_or_create(
                sha256=digest,
                defaults={"verdicts": rows.verdicts_given},
                create_defaults={
                    "verdicts": rows.verdicts_given,
                    "study_id": study_sha256,
                    "manifest_text": text.decode(),
                    "votes": len(rows.votes),
                    "sessions": len(rows.sessions),
                    "exclusions": len(rows.exclusions),
                    "session_ids": _session_ids(rows),
                },
            )
            return snapshot
    if not Snapshot.objects.filter(sha256=digest).exists():
        drop([digest])
    return None


def manifest_of(study_sha256: str, files: dict[str, bytes], *, votes: int, sessions: int) -> dict[str, object]:
    """The value of snapshot.json; the SHA-256 of its canonical JSON is the snapshot's identity."""
    manifest = {
        "contract": "eyelevel/snapshot/1",
        "study_sha256": study_sha256,
        "votes": votes,
        "sessions": sessions,
        "files": {
            name: {"sha256": sha256_of_bytes(data), "bytes": len(data), "media_type": MEDIA_TYPE}
            for name, data in files.items()
        },
    }
    check(manifest, "snapshot.1", source="snapshot.json")
    return manifest


def _session_ids(rows: Rows) -> list[str]:
    """Every session that a file of the snapshot names."""
    named = {row[0] for row in rows.sessions} | {row[0] for row in rows.exclusions}
    named |= {row[plays.SESSION_ID] for row in rows.plays}
    return sorted(named | {row[SESSION_OF_VOTE] for row in rows.votes})


def forget_superseded(current: Snapshot) -> None:
    """Remove the study's older snapshots and their results, but for those that were exported.

    Results of this snapshot that another version of the program computed go as well.

    While votes come in there is a new snapshot every few seconds, and one that nobody took home answers to nobody.
    """
    published = AnalysisState.objects.filter(result__isnull=False).values("result")
    Result.objects.filter(snapshot=current).exclude(Result.current()).exclude(pk__in=published).delete()
    old = Snapshot.objects.filter(study=current.study_id, exported_at=None).exclude(pk=current.pk)
    # still published by a run that has overtaken this one
    old = old.exclude(results__in=published)
    with locked(FILES_HELD, wait=False, shared=True) as free:
        for snapshot in old if free else ():
            _forget(snapshot)


def forget_all_superseded() -> None:
    """`forget_superseded` for every study: while a backup held the files, none could go."""
    for state in AnalysisState.objects.filter(result__isnull=False).select_related("result__snapshot"):
        if state.result is not None:
            forget_superseded(state.result.snapshot)


@contextlib.contextmanager
def files_held() -> Iterator[None]:
    """Keep the files of all snapshots while the block runs; only an erasure may remove one."""
    with locked(FILES_HELD):
        yield


def _forget(snapshot: Snapshot) -> None:
    with transaction.atomic():
        # an export may have marked it since
        if not Snapshot.objects.select_for_update().filter(pk=snapshot.pk, exported_at=None).exists():
            return
        Result.objects.filter(snapshot=snapshot).delete()
        Snapshot.objects.filter(pk=snapshot.pk).delete()
    drop([snapshot.sha256])
