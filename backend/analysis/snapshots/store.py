"""Snapshots: reads a study in one transaction, writes Parquet files, and names them by their digest."""

import contextlib
from collections.abc import Iterator, Mapping
from uuid import UUID

from django.db import transaction

from analysis.models import AnalysisState, Part, Result, Snapshot
from analysis.snapshots.columns import EXCLUSIONS_FILE, FILES, SESSIONS_FILE, VERDICTS_FILE
from analysis.snapshots.files import drop, put, put_part
from analysis.snapshots.parquet import parquet_bytes
from analysis.snapshots.parts import Written, drop_erased, drop_unused, form_of
from analysis.snapshots.queries import Rows, read
from eyelevel_core.contracts import canonical_json, check, sha256_of_bytes
from lib.advisory_locks import locked
from stimuli.blobs import scratch_folder

MEDIA_TYPE = "application/vnd.apache.parquet"
TRIES = 5
# lock that a backup holds while it copies the files
FILES_HELD = "snapshot files"


class ErasedMeanwhileError(Exception):
    """Votes were erased repeatedly while their snapshot was made."""


def take_snapshot(study_sha256: str) -> Snapshot:
    """Take a snapshot of the study's current votes; the same votes give the same snapshot.

    Days whose votes and plays are already stored are not read again. Retries if a participant was erased meanwhile;
    raises ErasedMeanwhileError after TRIES attempts.
    """
    for _ in range(TRIES):
        with scratch_folder() as scratch:
            snapshot = _store_rows(study_sha256, read(study_sha256, scratch))
        if snapshot is not None:
            return snapshot
    raise ErasedMeanwhileError(f"Participants of {study_sha256} are being erased; the next analysis takes a snapshot.")


def _store_rows(study_sha256: str, rows: Rows) -> Snapshot | None:
    """Write the files, then the rows; returns None, and deletes the files, if a participant was erased meanwhile."""
    rows_of = {SESSIONS_FILE: rows.sessions, EXCLUSIONS_FILE: rows.exclusions, VERDICTS_FILE: rows.verdicts}
    files = {name: parquet_bytes(columns, rows_of[name]) for name, columns in FILES.items()}
    manifest = manifest_of(study_sha256, files, rows.parts, votes=rows.votes, sessions=len(rows.sessions))
    text = canonical_json(manifest)
    digest = sha256_of_bytes(text)
    for part in rows.parts:
        if part.path is not None:
            put_part(study_sha256, part.sha256, part.path)
    put(digest, {**files, "snapshot.json": text})
    with transaction.atomic():
        AnalysisState.objects.get_or_create(study_id=study_sha256)
        # an erasure waits for this row, or has locked it before
        state = AnalysisState.objects.select_for_update().get(study_id=study_sha256)
        if state.erasures == rows.erasures and _all_stored(rows.parts):
            _add_parts(study_sha256, rows.parts)
            snapshot, _ = Snapshot.objects.update_or_create(
                sha256=digest,
                defaults={"verdicts": rows.verdicts_given},
                create_defaults={
                    "verdicts": rows.verdicts_given,
                    "study_id": study_sha256,
                    "manifest_text": text.decode(),
                    "votes": rows.votes,
                    "sessions": len(rows.sessions),
                    "exclusions": len(rows.exclusions),
                    "session_ids": _session_ids(rows),
                },
            )
            return snapshot
    if not Snapshot.objects.filter(sha256=digest).exists():
        drop([digest])
    # parts without the participant are kept, because another analysis may have written the same
    drop_erased(study_sha256, rows.parts)
    return None


def _all_stored(parts: list[Written]) -> bool:
    """Whether all reused parts still exist."""
    reused = [part.sha256 for part in parts if part.path is None]
    return Part.objects.filter(pk__in=reused).count() == len(reused)


def _add_parts(study_sha256: str, parts: list[Written]) -> None:
    Part.objects.bulk_create(
        [
            Part(
                sha256=part.sha256,
                study_id=study_sha256,
                kind=part.kind,
                day=part.day,
                rows=part.rows,
                form=form_of(part.kind),
                bytes=part.bytes,
                session_ids=part.session_ids,
            )
            for part in parts
            if part.path is not None
        ],
        # the row exists if only the file was missing, or if another form has the same bytes
        update_conflicts=True,
        unique_fields=["sha256"],
        update_fields=["form"],
    )


def manifest_of(
    study_sha256: str, files: Mapping[str, bytes], parts: list[Written], *, votes: int, sessions: int
) -> dict[str, object]:
    """The value of snapshot.json; the SHA-256 of its canonical JSON is the snapshot's identity."""
    manifest = {
        "contract": "eyelevel/snapshot/1",
        "study_sha256": study_sha256,
        "votes": votes,
        "sessions": sessions,
        "files": {
            name: {"sha256": sha256_of_bytes(data), "bytes": len(data), "media_type": MEDIA_TYPE}
            for name, data in files.items()
        }
        | {part.name: {"sha256": part.sha256, "bytes": part.bytes, "media_type": MEDIA_TYPE} for part in parts},
    }
    check(manifest, "snapshot.1", source="snapshot.json")
    return manifest


def _session_ids(rows: Rows) -> list[UUID]:
    """Ids of all sessions in files of the snapshot."""
    named = {UUID(row[0]) for row in (*rows.sessions, *rows.exclusions)}
    return sorted(named.union(*(part.session_ids for part in rows.parts)))


def forget_superseded(current: Snapshot) -> None:
    """Delete the study's older snapshots and their results, except for exported ones.

    Also deletes results of this snapshot that another version of the program computed.

    While votes arrive there is a new snapshot every few seconds, and only exported ones can be cited.
    """
    published = AnalysisState.objects.filter(result__isnull=False).values("result")
    Result.objects.filter(snapshot=current).exclude(Result.current()).exclude(pk__in=published).delete()
    old = Snapshot.objects.filter(study=current.study_id, exported_at=None).exclude(pk=current.pk)
    # except for one that a later run has published
    old = old.exclude(results__in=published)
    with locked(FILES_HELD, wait=False, shared=True) as free:
        if free:
            for snapshot in old:
                _forget(snapshot)
            drop_unused(current.study_id)


def forget_all_superseded() -> None:
    """Run `forget_superseded` for every study, because no file can be deleted while a backup holds the files."""
    for state in AnalysisState.objects.filter(result__isnull=False).select_related("result__snapshot"):
        if state.result is not None:
            forget_superseded(state.result.snapshot)


@contextlib.contextmanager
def files_held() -> Iterator[None]:
    """Keep the files of all snapshots while the block runs; only an erasure may delete one."""
    with locked(FILES_HELD):
        yield


def _forget(snapshot: Snapshot) -> None:
    with transaction.atomic():
        # an export may have marked it meanwhile
        if not Snapshot.objects.select_for_update().filter(pk=snapshot.pk, exported_at=None).exists():
            return
        Result.objects.filter(snapshot=snapshot).delete()
        Snapshot.objects.filter(pk=snapshot.pk).delete()
    drop([snapshot.sha256])
