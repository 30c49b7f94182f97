"""Compares a restored database with the header of its backup, in a process whose settings name that database."""

import secrets
from collections.abc import Iterator

from django.contrib.auth import authenticate
from django.contrib.auth.hashers import identify_hasher
from django.db import transaction

from accounts.models import Role, User
from analysis.models import AnalysisState, Part, ResultOrigin, Snapshot
from analysis.origins import of_origin
from analysis.snapshots import files
from backups.errors import Finding
from backups.header import FileFacts, Header, StudyFacts, export_sha256, program_sha256, table_facts
from backups.upgrade import bring_up_to_date
from lib.counted import counted
from privacy import erasure_ledger
from privacy.restore import replay
from ratings.tombstones import erasable_models
from studies.models import Study


def prove(header: Header) -> Iterator[Finding]:
    """Yields the result of each check. Rows are compared as they were dumped, before the database is migrated."""
    yield from _tables(header)
    bring_up_to_date()
    entries = erasure_ledger.read()
    again = replay()
    yield from _erased(entries, again.participants)
    yield from _deleted(entries, again.studies)
    yield from _snapshots(header)
    for sha256, facts in header.studies.items():
        yield from _study(header, sha256, facts)
    yield _accounts()


def _tables(header: Header) -> Iterator[Finding]:
    with transaction.atomic():
        tables = table_facts()
    wrong = 0
    for name in sorted(header.tables.keys() | tables.keys()):
        promised, here = header.tables.get(name), tables.get(name)
        if promised == here:
            continue
        wrong += 1
        rows = "" if here is None else counted(here.rows, "row")
        if promised is None or here is None:
            yield Finding(False, f"The table {name} is only in the {'backup' if here is None else 'restored data'}.")
        elif promised.rows != here.rows:
            yield Finding(False, f"The table {name} has {rows}, but {promised.rows:,} in the backup.")
        else:
            yield Finding(False, f"The table {name} has {rows} as in the backup, but other contents.")
    if not wrong:
        all_rows = counted(sum(facts.rows for facts in tables.values()), "row")
        votes = counted(header.votes, "vote")
        same = counted(len(tables), "table has the same", "tables have the same")
        yield Finding(True, f"{same} {all_rows}, including {votes}.")


def _erased(entries: list[erasure_ledger.Entry], again: int) -> Iterator[Finding]:
    erased = {entry.participant for entry in entries if entry.participant is not None}
    back = 0
    for model in erasable_models():
        # `objects` excludes tombstones
        found = model._default_manager.filter(erased_at=None, **{f"{model.PARTICIPANT}__in": erased})
        if (count := found.count()) > 0:
            back += count
            rows = counted(count, "row of erased participants is in", "rows of erased participants are in")
            yield Finding(False, f"{rows} {model._meta.db_table}.")
    if not back:
        later = f", {again} of them erased after the backup was made" if again else ""
        absent = counted(len(erased), "erased participant is absent", "erased participants are absent")
        yield Finding(True, f"{absent}{later}.")


def _deleted(entries: list[erasure_ledger.Entry], again: int) -> Iterator[Finding]:
    deleted = {entry.study: entry.erased_at for entry in entries if entry.deleted}
    # a study that was published again later is a new one
    present = Study.objects.filter(pk__in=deleted).values_list("pk", "name", "published_at")
    back = [name for sha256, name, published_at in present if published_at <= deleted[sha256]]
    for name in back:
        yield Finding(False, f"The deleted study {name} is in the restored data.")
    if not back:
        later = f", {again} of them deleted after the backup was made" if again else ""
        absent = counted(len(deleted), "deleted study is absent", "deleted studies are absent")
        yield Finding(True, f"{absent}{later}.")


def _snapshots(header: Header) -> Iterator[Finding]:
    wrong = 0
    known = list(Snapshot.objects.values_list("sha256", flat=True))
    for digest in known:
        for name, facts in header.snapshots.get(digest, {}).items():
            if not _is_stored(digest, name, facts):
                wrong += 1
                yield Finding(False, f"The file {name} of the snapshot {digest} is missing or damaged.")
        if digest not in header.snapshots:
            wrong += 1
            yield Finding(False, f"The backup lacks the snapshot {digest}.")
    for part in Part.objects.defer("session_ids"):
        facts = FileFacts(part.sha256, part.bytes)
        if not _is_stored(part.study_id, f"{part.sha256}.parquet", facts):
            wrong += 1
            yield Finding(False, f"The part {part.sha256} of snapshots, {part}, is missing or damaged.")
    if not wrong:
        yield Finding(True, f"{counted(len(known), 'snapshot is complete', 'snapshots are complete')}.")


def _is_stored(digest: str, name: str, facts: FileFacts) -> bool:
    try:
        return files.sha256_of(digest, name) == facts.sha256
    except FileNotFoundError:
        return False


def _study(header: Header, sha256: str, facts: StudyFacts) -> Iterator[Finding]:
    study = Study.objects.filter(pk=sha256).first()
    if study is None:
        yield Finding(True, f"{facts.name}: the study was deleted after the backup was made.")
        return
    if not facts.exports:
        yield Finding(True, f"{study.name}: {counted(facts.votes, 'vote')}; not analysed yet.")
        return
    state = AnalysisState.objects.select_related("result__snapshot__study").filter(study=study).first()
    if state is None or state.result is None:
        yield Finding(True, f"{study.name}: the results will be computed again, without participants erased since.")
        return
    if header.program_sha256 != program_sha256():
        message = f"{study.name}: the stored results were restored; this version of Eyelevel may compute others."
        yield Finding(True, message)
        return
    if not files.exists(state.result.snapshot):
        # already reported by `_snapshots`
        return
    for origin, promised in facts.exports.items():
        result = of_origin(state.result, ResultOrigin(origin))
        digest = None if result is None else export_sha256(result)
        same = digest == promised
        votes = "all votes" if origin == ResultOrigin.ALL else "people's votes"
        outcome = "equal those of the backup byte for byte" if same else "differ from those of the backup"
        yield Finding(same, f"{study.name}: the results of {votes} {outcome}.")


def _accounts() -> Finding:
    unreadable = []
    users = User.objects.filter(is_active=True)
    for user in users:
        if user.has_usable_password():
            try:
                identify_hasher(user.password)
            except ValueError:
                unreadable.append(user.username)
    if unreadable:
        return Finding(False, f"The password hashes of these accounts cannot be read: {', '.join(unreadable)}.")
    if not _can_log_in():
        return Finding(False, "An account that was created for this check cannot log in.")
    return Finding(True, f"{counted(users.count(), 'account')} can log in.")


def _can_log_in() -> bool:
    name, password = f"proof-{secrets.token_hex(8)}", secrets.token_urlsafe(24)
    with transaction.atomic():
        account = User.objects.create_account(name, password, Role.GUEST)
        authenticated = authenticate(username=name, password=password)
        transaction.set_rollback(True)
    return authenticated == account
