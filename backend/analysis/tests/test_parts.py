"""Parts of snapshots: a day that is over is written once, and an erasure rewrites the days that hold the person."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from django.db import connection
from django.db.models import Value
from django.db.models.functions import NullIf
from django.utils import timezone

from analysis.computing import reduced, turns
from analysis.computing.results import compute
from analysis.computing.runs import run_if_due
from analysis.models import AnalysisState, Part, Result, ResultOrigin, Snapshot
from analysis.snapshots import copying, files, parquet, parts, queries, store
from analysis.snapshots.columns import PLAYS, VOTES
from analysis.snapshots.counted import counted_votes
from analysis.snapshots.files import DamagedSnapshotError
from analysis.snapshots.store import forget_superseded, take_snapshot
from eyelevel_core.contracts import sha256_of_file
from lib import stores
from privacy.erasure import erase
from privacy.models import By
from ratings.models import Session, Vote
from testing.store import part_files, rows_of, snapshot_folder
from testing.votes import BEGIN, Field

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]
NEXT = BEGIN + timedelta(days=1)


def day(at: datetime) -> str:
    return f"{at:%Y-%m-%d}"


def rated(field: Field, score: int, at: datetime, by: Session | None = None) -> Vote:
    """A vote and a play that arrived at this time."""
    vote = field.rate("QUIC", score, by=by)
    play = field.play(vote.trial)
    with connection.cursor() as cursor:
        # votes and plays are append-only for everybody but a replica
        cursor.execute("SET session_replication_role = replica")
        cursor.execute("UPDATE ratings_vote SET received_at = %s WHERE id = %s", [at, vote.pk])
        cursor.execute("UPDATE ratings_play SET received_at = %s WHERE id = %s", [at, play.pk])
        cursor.execute("SET session_replication_role = DEFAULT")
    return vote


def forget_everything() -> None:
    Snapshot.objects.all().delete()
    Part.objects.all().delete()


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the parts that are written from now on; votes and plays are written at the same time."""
    names: list[str] = []
    original = parts._written

    def noted(study: str, kind: str, day: Any, *rest: Any) -> Any:
        names.append(f"{kind}/{day}")
        return original(study, kind, day, *rest)

    monkeypatch.setattr(parts, "_written", noted)
    return names


def test_votes_and_plays_lie_in_a_file_per_day() -> None:
    field = Field()
    rated(field, 5, BEGIN)
    rated(field, 3, NEXT)
    rated(field, 2, BEGIN.replace(hour=0, minute=0, second=0, microsecond=0))
    snapshot = take_snapshot(field.study.sha256)
    scores = {path.name: pq.read_table(path)["score"].to_pylist() for path in part_files(snapshot, VOTES)}
    listed = snapshot.manifest["files"]
    by_day = {name: scores[f"{listed[name]['sha256']}.parquet"] for name in listed if name.startswith("votes/")}
    assert by_day == {f"votes/{day(BEGIN)}.parquet": [2, 5], f"votes/{day(NEXT)}.parquet": [3]}
    assert [row["score"] for row in rows_of(snapshot, VOTES)] == [2, 5, 3]
    assert len(rows_of(snapshot, PLAYS)) == 3


def test_a_day_without_news_is_not_read_again(written: list[str]) -> None:
    field = Field()
    rated(field, 5, BEGIN)
    rated(field, 3, NEXT)
    first = take_snapshot(field.study.sha256)
    assert len(written) == 4
    written.clear()
    rated(field, 7, NEXT + timedelta(seconds=1))
    second = take_snapshot(field.study.sha256)
    assert sorted(written) == [f"plays/{day(NEXT)}", f"votes/{day(NEXT)}"]
    assert [row["score"] for row in rows_of(second, VOTES)] == [5, 3, 7]
    assert [row["score"] for row in rows_of(first, VOTES)] == [5, 3], "a snapshot never changes"
    assert second.votes == 3


def test_a_vote_that_arrives_late_is_read_with_its_day(written: list[str]) -> None:
    """It was stored before midnight and committed after the analysis had read its day."""
    field = Field()
    rated(field, 5, BEGIN)
    rated(field, 3, NEXT)
    take_snapshot(field.study.sha256)
    written.clear()
    rated(field, 1, BEGIN)
    snapshot = take_snapshot(field.study.sha256)
    assert sorted(written) == [f"plays/{day(BEGIN)}", f"votes/{day(BEGIN)}"]
    assert sorted(row["score"] for row in rows_of(snapshot, VOTES)[:2]) == [1, 5]
    assert snapshot.votes == 3


def test_day_by_day_gives_the_snapshot_that_one_reading_gives() -> None:
    field = Field()
    for number in range(3):
        rated(field, 5 - number, BEGIN + timedelta(days=number))
        last = take_snapshot(field.study.sha256)
    forget_everything()
    assert take_snapshot(field.study.sha256).sha256 == last.sha256


def test_an_erasure_rewrites_the_days_that_hold_the_person(written: list[str]) -> None:
    field = Field()
    ann, ben = field.session(), field.session()
    rated(field, 5, BEGIN, by=ann)
    rated(field, 4, BEGIN, by=ben)
    rated(field, 3, NEXT, by=ben)
    both, alone = part_files(take_snapshot(field.study.sha256), VOTES)
    erase(ann.participant, by=By.PARTICIPANT)
    assert (both.exists(), alone.exists()) == (False, True)
    assert ann.pk not in {session for part in Part.objects.all() for session in part.session_ids}
    written.clear()
    after = take_snapshot(field.study.sha256)
    assert sorted(written) == [f"plays/{day(BEGIN)}", f"votes/{day(BEGIN)}"]
    assert part_files(after, VOTES)[1] == alone
    assert {row["session_id"] for kind in (VOTES, PLAYS) for row in rows_of(after, kind)} == {str(ben.pk)}


def test_parts_that_no_snapshot_names_go() -> None:
    field = Field()
    rated(field, 5, BEGIN)
    (superseded,) = part_files(take_snapshot(field.study.sha256), VOTES)
    rated(field, 4, BEGIN)
    new = take_snapshot(field.study.sha256)
    assert superseded.exists(), "the older snapshot names it"
    forget_superseded(new)
    assert not superseded.exists()
    assert {path.name for path in (snapshot_folder() / field.study.sha256).iterdir()} == {
        path.name for kind in (VOTES, PLAYS) for path in part_files(new, kind)
    }


def test_an_exported_snapshot_keeps_its_parts() -> None:
    field = Field()
    rated(field, 5, BEGIN)
    old = take_snapshot(field.study.sha256)
    Snapshot.objects.update(exported_at=BEGIN)
    rated(field, 4, BEGIN)
    forget_superseded(take_snapshot(field.study.sha256))
    assert [row["score"] for row in rows_of(old, VOTES)] == [5]


def test_a_part_that_is_swept_meanwhile_is_written_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The hourly sweep deletes it between reading and storing."""
    field = Field()
    rated(field, 5, BEGIN)
    take_snapshot(field.study.sha256)
    original = files.put
    swept: list[str] = []

    def sweep_first(digest: str, content: Any) -> None:
        if not swept:
            swept.append(digest)
            Snapshot.objects.all().delete()
            parts.drop_unused(field.study.sha256)
        original(digest, content)

    monkeypatch.setattr("analysis.snapshots.store.put", sweep_first)
    snapshot = take_snapshot(field.study.sha256)
    assert swept == [snapshot.sha256]
    assert [row["score"] for row in rows_of(snapshot, VOTES)] == [5]


def test_a_part_that_the_store_lacks_is_written_again(written: list[str]) -> None:
    field = Field()
    rated(field, 5, BEGIN)
    snapshot = take_snapshot(field.study.sha256)
    (part,) = Part.objects.filter(kind=VOTES)
    stores.snapshots().delete(f"{field.study.sha256}/{part.sha256}.parquet")
    written.clear()
    assert take_snapshot(field.study.sha256) == snapshot
    assert written == [f"votes/{day(BEGIN)}"]
    assert [row["score"] for row in rows_of(snapshot, VOTES)] == [5]


def test_rows_are_the_same_in_blocks_of_any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    field = Field()
    for score in (5, 3, 6, 1, 7):
        field.play(field.rate("TCP+", score).trial)
    whole = rows_of(take_snapshot(field.study.sha256), VOTES)
    forget_everything()
    monkeypatch.setattr(copying, "BLOCK_BYTES", 1500)
    monkeypatch.setattr(parquet, "GROUP_ROWS", 2)
    snapshot = take_snapshot(field.study.sha256)
    assert rows_of(snapshot, VOTES) == whole
    (path,) = part_files(snapshot, VOTES)
    metadata = pq.read_metadata(path)
    assert [metadata.row_group(number).num_rows for number in range(metadata.num_row_groups)] == [2, 2, 1]


@pytest.mark.parametrize("text", ["", "a,b", 'say "so"', "two\nlines", "=1+1", "ä€😀", "\\N", "NULL", "null"])
def test_texts_come_from_postgresql_as_they_are(text: str) -> None:
    Field().rate("QUIC", 5)
    rows = Vote.objects.annotate(text=Value(text), none=NullIf(Value(text), Value(text))).values_list("text", "none")
    (batch,) = copying.copied(rows, {"text": pa.string(), "none": pa.string()})
    assert batch.to_pylist() == [{"text": text, "none": None}]


def test_excluded_and_simulated_sessions_are_not_in_the_sums() -> None:
    field = Field()
    kept, broke, program = field.session(), field.session(), field.session(origin="simulated")
    for session, score in ((kept, 5), (broke, 1), (program, 7)):
        field.rate("QUIC", score, by=session)
    field.exclude(broke)
    snapshot = take_snapshot(field.study.sha256)
    people, everyone = (reduced.reduced(snapshot, origin) for origin in (ResultOrigin.PERSON, ResultOrigin.ALL))
    assert (people.sums.scores, people.used) == ({5: 1}, {str(kept.pk)})
    assert (everyone.sums.scores, everyone.simulated_sessions) == ({5: 1, 7: 1}, 1)
    assert people.votes == {str(session.pk): 1 for session in (kept, broke, program)}
    assert counted_votes(snapshot, names=["score"]) == {"score": [5]}


def test_a_snapshot_of_one_file_is_still_read() -> None:
    """Snapshots that were exported before there were parts are kept."""
    field = Field()
    rated(field, 5, BEGIN)
    snapshot = take_snapshot(field.study.sha256)
    (path,) = part_files(snapshot, VOTES)
    facts = snapshot.manifest["files"][f"votes/{day(BEGIN)}.parquet"]
    snapshot.manifest_text = snapshot.manifest_text.replace(f"votes/{day(BEGIN)}.parquet", "votes.parquet")
    files.put_file(snapshot.sha256, "votes.parquet", path)
    assert part_files(snapshot, VOTES) == [snapshot_folder() / snapshot.sha256 / "votes.parquet"]
    assert facts == snapshot.manifest["files"]["votes.parquet"]


def test_a_whole_number_with_a_fraction_of_zero_is_read() -> None:
    """JSON Schema takes 1.0 for 1, and PostgreSQL keeps it: no play may stop the analysis of a study."""
    field = Field()
    play = field.play(field.rate("QUIC", 5).trial)
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        evidence = "evidence || '{\"version\": 1.0}'"
        query = f"UPDATE ratings_play SET evidence = {evidence} WHERE id = %s RETURNING evidence::text"  # noqa: S608
        cursor.execute(query, [play.pk])
        assert '"version": 1.0' in cursor.fetchone()[0]
        cursor.execute("SET session_replication_role = DEFAULT")
    (row,) = rows_of(take_snapshot(field.study.sha256), PLAYS)
    assert row["evidence_version"] == 1


def test_parts_of_another_form_are_written_again(written: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    field = Field()
    rated(field, 5, BEGIN)
    take_snapshot(field.study.sha256)
    written.clear()
    monkeypatch.setattr(parts, "CELLS_VERSION", 2)
    parts.form_of.cache_clear()
    try:
        take_snapshot(field.study.sha256)
        assert sorted(written) == [f"plays/{day(BEGIN)}", f"votes/{day(BEGIN)}"]
        written.clear()
        take_snapshot(field.study.sha256)
        assert written == []
    finally:
        parts.form_of.cache_clear()


def test_an_analysis_that_an_erasure_stopped_leaves_the_parts_of_others(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The first analysis ends while the second one, which began after the erasure, stores the same part of Ben."""
    field = Field()
    ann, ben = field.session(), field.session()
    rated(field, 5, BEGIN, by=ann)
    rated(field, 3, NEXT, by=ben)
    first = queries.read(field.study.sha256, tmp_path)
    erase(ann.participant, by=By.PARTICIPANT)
    original = files.put
    stopped: list[Snapshot | None] = []

    def first_ends(digest: str, content: Any) -> None:
        if not stopped:
            stopped.append(None)
            stopped[0] = store._store_rows(field.study.sha256, first)
        original(digest, content)

    monkeypatch.setattr(store, "put", first_ends)
    snapshot = take_snapshot(field.study.sha256)
    assert stopped == [None]
    assert {row["session_id"] for row in rows_of(snapshot, VOTES)} == {str(ben.pk)}
    held = {session for part in Part.objects.all() for session in part.session_ids}
    assert held == {ben.pk}
    # the file that held Ann is gone, without waiting for the hourly sweep
    assert {path.name for path in (snapshot_folder() / field.study.sha256).iterdir()} == {
        f"{part.sha256}.parquet" for part in Part.objects.all()
    }


def test_a_damaged_part_is_written_again_by_the_next_analysis() -> None:
    field = Field()
    rated(field, 5, BEGIN)
    (path,) = part_files(take_snapshot(field.study.sha256), VOTES)
    good = path.read_bytes()
    path.write_bytes(good[:50] + bytes([good[50] ^ 1]) + good[51:])
    Result.objects.all().delete()
    turns.ask(field.study.sha256)
    with pytest.raises(DamagedSnapshotError):
        run_if_due(field.study.sha256, timezone.now)
    AnalysisState.objects.update(not_before=None)
    assert run_if_due(field.study.sha256, timezone.now) is not None
    assert path.read_bytes() == good


def test_results_have_plain_numbers() -> None:
    field = Field()
    for score in (5, 3, 6):
        rated(field, score, BEGIN)
    result = compute(take_snapshot(field.study.sha256))
    numbers = {type(value) for row in result.tables["mos"] + result.tables["points"] for value in row.values()}
    assert numbers <= {int, float, str, type(None), dict}


def test_a_file_is_fetched_once_in_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    field = Field()
    rated(field, 5, BEGIN, by=field.session(origin="simulated"))
    rated(field, 4, BEGIN)
    snapshot = take_snapshot(field.study.sha256)
    checked: list[Path] = []

    def noted(path: Path) -> str:
        checked.append(path)
        return sha256_of_file(path)

    monkeypatch.setattr(files, "sha256_of_file", noted)
    compute(snapshot)
    assert len(checked) == len(set(checked))
