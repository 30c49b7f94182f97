"""A snapshot holds every vote with what it was about, is named by its digest, and never changes."""

import json
import threading
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from django.db import connection, transaction

from analysis.models import Snapshot
from analysis.snapshots import queries
from analysis.snapshots.columns import FILES, PARTS, VOTES
from analysis.snapshots.counted import counted_votes
from analysis.snapshots.files import DamagedSnapshotError, checked_file
from analysis.snapshots.parquet import parquet_bytes, read_columns
from analysis.snapshots.parts import parts_of
from analysis.snapshots.store import take_snapshot
from eyelevel_core.contracts import check, sha256_of_bytes
from eyelevel_core.contracts.columns import export_columns
from eyelevel_core.model.metrics import FIELDS
from eyelevel_core.tables import Column
from ratings.models import ControlAnswer, Session, Trial
from stimuli.models import Clip, Take
from testing.store import folder_of, part_files, rows_of, snapshot_folder
from testing.votes import BEGIN, Field

pytestmark = [pytest.mark.services, pytest.mark.django_db]


def rows(snapshot: Snapshot, name: str) -> list[dict[str, Any]]:
    if name in PARTS:
        return rows_of(snapshot, name)
    found: list[dict[str, Any]] = pq.read_table(folder_of(snapshot) / name).to_pylist()
    return found


def test_a_rating_is_stored_with_what_it_was_about() -> None:
    field = Field()
    vote = field.rate("TCP+", 3)
    (row,) = rows(take_snapshot(field.study.sha256), VOTES)
    assert {name: value for name, value in row.items() if value is not None} == {
        "vote_id": str(vote.id),
        "session_id": str(vote.session_id),
        "study_sha256": field.study.sha256,
        "trial_kind": "rate",
        "trial_kind_version": 2,
        "layout": "row",
        "position": 1,
        "context": "work",
        "site": "garden",
        "network": "DSL",
        "stack": "TCP+",
        "clip_sha256": vote.clip_sha256,
        "score": 3,
        "replays": 1,
        "answer_ms": 1234.5,
        "language": "en",
        "received_at": BEGIN,
        "fvc_ms": 800.25,
        "si_ms": 1600.5,
        "vc85_ms": 3201.0,
        "lvc_ms": 4801.5,
        "media_ms": 1500.5,
        "group": "volunteer",
        "origin": "person",
        "role": "main",
        "answered_at": BEGIN,
        "block": 0,
        "start_ms": 0.0,
        "duration_ms": 1000.0,
        "settled": "yes",
    }


def test_of_a_clip_that_was_cut_later_metrics_are_empty_and_both_values_of_the_others_are_stored() -> None:
    field = Field()
    field.rate("TCP+", 3)
    shown = {"fvc_ms": 816.667, "si_ms": None, "vc85_ms": None, "lvc_ms": None}
    # its last frame begins at 2966.7 ms, VC85 at 3201; so navigation starts at 1000
    Clip.objects.filter(right_take=None).update(duration_ms=4000, start_ms=1000, cut=True, moving=True, metrics=[shown])
    (row,) = rows(take_snapshot(field.study.sha256), VOTES)
    assert (row["cut"], row["moving"]) == ("yes", "yes")
    assert (row["fvc_ms"], row["fvc_clip_ms"]) == (800.25, 816.667)
    later = ("si_ms", "vc85_ms", "lvc_ms", "si_clip_ms", "vc85_clip_ms", "lvc_clip_ms")
    assert [row[name] for name in later] == [None] * 6


def test_of_a_page_that_did_not_settle_metrics_that_need_its_end_are_empty() -> None:
    field = Field()
    field.rate("TCP+", 3)
    metrics = dict.fromkeys(FIELDS, 1000.0) | {"plt_ms": 5000.0, "cls": 0.2, "dcl_ms": 900.0}
    Take.objects.update(outcome="unsettled", metrics=metrics)
    (row,) = rows(take_snapshot(field.study.sha256), VOTES)
    assert (row["settled"], row["fvc_ms"], row["plt_ms"], row["dcl_ms"]) == ("no", 1000.0, 5000.0, 900.0)
    assert [row[name] for name in ("si_ms", "vc85_ms", "lvc_ms", "lcp_ms", "cls", "si_plain_ms")] == [None] * 6


def test_a_pair_has_the_values_of_both_sides_on_the_clips_frames() -> None:
    field = Field()
    field.compare("right")
    left, right = ({"fvc_ms": ms, "si_ms": ms, "vc85_ms": ms, "lvc_ms": ms} for ms in (100.0, 200.0))
    Clip.objects.update(metrics=[left, right])
    (row,) = rows(take_snapshot(field.study.sha256), VOTES)
    names = ("left_si_clip_ms", "right_lvc_clip_ms", "si_clip_ms", "left_si_ms", "right_si_ms", "moving")
    assert [row[name] for name in names] == [100.0, 200.0, None, 1600.5, 800.0, None]


def test_a_comparison_is_stored_with_both_sides() -> None:
    field = Field()
    field.compare("right")
    (row,) = rows(take_snapshot(field.study.sha256), VOTES)
    known = {name: value for name, value in row.items() if value is not None}
    assert (known["left_stack"], known["right_stack"], known["choice"], known["sureness"]) == (
        "TCP+",
        "QUIC",
        "right",
        4,
    )
    assert (known["left_si_ms"], known["right_si_ms"], known["left_fvc_ms"]) == (1600.5, 800.0, 800.25)
    assert not {"stack", "score", "si_ms", "fvc_ms", "left_plt_ms", "right_plt_ms"} & set(known)


def test_why_a_trial_was_asked_and_what_came_before_go_along() -> None:
    field = Field()
    ann = field.session(origin="simulated")
    field.place(62.5, by=ann)
    field.place(60, by=ann, role="repeat", repeats=1)
    first, again = rows(take_snapshot(field.study.sha256), VOTES)
    named = ("trial_kind", "stack", "value", "score", "role", "repeats_position", "previous_clip_sha256", "origin")
    assert [first[name] for name in named] == ["slider", "QUIC", 62.5, None, "main", None, None, "simulated"]
    assert [again[name] for name in named] == ["slider", "QUIC", 60.0, None, "repeat", 1, f"{7:064x}", "simulated"]


def test_sessions_say_where_they_came_from() -> None:
    field = Field()
    field.rate("QUIC", 5, by=field.session(origin="simulated"))
    (row,) = rows(take_snapshot(field.study.sha256), "sessions.parquet")
    assert (row["group"], row["origin"]) == ("volunteer", "simulated")


def test_all_that_the_rules_look_at_goes_along() -> None:
    field = Field()
    clip = field.stimuli["pair"].clip
    clip.delays_ms, clip.start_ms = [0.0, 500.0], 1000.0
    clip.save()
    ann = field.session()
    field.compare("left", by=ann, role="control", away=[{"at_ms": 10, "ms": 4000}])
    field.rate("QUIC", 5, by=ann)
    ControlAnswer.objects.create(session=ann, key="attention", choice="websites")
    Trial.objects.create(
        session=ann,
        position=3,
        stimulus=field.stimuli["pair"],
        kind="compare",
        kind_version=1,
        role="control",
        skipped=True,
    )
    snapshot = take_snapshot(field.study.sha256)
    late, plain = rows(snapshot, VOTES)
    names = ("start_ms", "left_delay_ms", "right_delay_ms", "delay_ms", "away")
    assert [late[name] for name in names] == [1000.0, 0.0, 500.0, None, '[{"at_ms": 10, "ms": 4000}]']
    assert [plain[name] for name in names] == [0.0, None, None, None, None]
    (row,) = rows(snapshot, "sessions.parquet")
    assert (row["completed_at"], row["control_answers"]) == (ann.completed_at, '{"attention": "websites"}')
    assert row["skipped_controls"] == 1


def test_sessions_and_exclusions_go_along() -> None:
    field = Field()
    ann, ben = field.session(answers={"job": "b", "age": "a"}), field.session()
    field.session()  # without a vote
    field.rate("QUIC", 5, by=ann)
    field.rate("QUIC", 1, by=ben)
    field.exclude(ben)
    snapshot = take_snapshot(field.study.sha256)
    assert (snapshot.votes, snapshot.sessions, snapshot.exclusions) == (2, 2, 1)
    answers = {row["session_id"]: row["answers"] for row in rows(snapshot, "sessions.parquet")}
    assert answers == {str(ann.id): '{"age": "a", "job": "b"}', str(ben.id): None}
    assert rows(snapshot, "exclusions.parquet") == [{"session_id": str(ben.id), "rule": "R5"}]


def test_the_name_is_the_digest_of_the_manifest_and_that_names_the_files() -> None:
    field = Field()
    field.rate("QUIC", 5)
    snapshot = take_snapshot(field.study.sha256)
    text = (folder_of(snapshot) / "snapshot.json").read_bytes()
    assert sha256_of_bytes(text) == snapshot.sha256
    assert text.decode() == snapshot.manifest_text
    check(json.loads(text), "snapshot.1", source="snapshot.json")
    assert {path.name for path in folder_of(snapshot).iterdir()} == {*FILES, "snapshot.json"}
    part = f"votes/{BEGIN:%Y-%m-%d}.parquet"
    assert set(snapshot.manifest["files"]) == {*FILES, part}
    for name in FILES:
        with checked_file(snapshot, name) as path:
            assert path == folder_of(snapshot) / name
    with checked_file(snapshot, part) as path:
        sha256 = snapshot.manifest["files"][part]["sha256"]
        assert path == snapshot_folder() / field.study.sha256 / f"{sha256}.parquet"


def test_the_same_votes_give_the_same_snapshot_and_others_another() -> None:
    field = Field()
    for score in (5, 3, 6):
        field.rate("QUIC", score)
    first = take_snapshot(field.study.sha256)
    assert take_snapshot(field.study.sha256) == first
    field.rate("QUIC", 1)
    assert take_snapshot(field.study.sha256) != first
    assert Snapshot.objects.count() == 2


def test_another_studys_votes_are_not_in_it() -> None:
    mine, other = Field(1), Field(2)
    mine.rate("QUIC", 5)
    other.rate("QUIC", 1)
    other.exclude(other.fielding.sessions.get())
    snapshot = take_snapshot(mine.study.sha256)
    assert (snapshot.votes, snapshot.sessions, snapshot.exclusions) == (1, 1, 0)


def test_a_study_without_votes_has_an_empty_snapshot() -> None:
    snapshot = take_snapshot(Field().study.sha256)
    assert (snapshot.votes, snapshot.sessions, rows(snapshot, VOTES)) == (0, 0, [])


@pytest.mark.django_db(transaction=True)
def test_a_vote_that_arrives_while_reading_is_not_half_in(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Somebody commits a vote after the start and before votes, plays and sessions are read: none of it shows."""
    field = Field()
    field.rate("QUIC", 5)
    original, committed = queries._sessions, threading.Event()

    def late(study_sha256: str) -> Any:
        other = threading.Thread(target=_vote_in_another_connection, args=(field,))
        other.start()
        other.join()
        committed.set()
        return original(study_sha256)

    def after(*arguments: Any) -> Any:
        assert committed.wait(20)
        return parts_of(*arguments)

    monkeypatch.setattr(queries, "_sessions", late)
    monkeypatch.setattr(queries, "parts_of", after)
    found = queries.read(field.study.sha256, tmp_path)
    assert (found.votes, len(found.sessions)) == (1, 1)
    assert field.study.votes.count() == 2


def _vote_in_another_connection(field: Field) -> None:
    try:
        field.rate("QUIC", 1)
    finally:
        connection.close()


@pytest.mark.django_db(transaction=True)
def test_reading_cannot_write(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    field = Field()
    monkeypatch.setattr(queries, "_sessions", lambda _: [field.session()])
    with pytest.raises(Exception, match="read-only transaction"):
        queries.read(field.study.sha256, tmp_path)


@pytest.mark.django_db(transaction=True)
def test_a_snapshot_inside_another_transaction_is_refused(tmp_path: Path) -> None:
    with transaction.atomic(), pytest.raises(RuntimeError, match="durable"):
        queries.read("0" * 64, tmp_path)


def test_a_damaged_file_is_noticed_and_written_anew() -> None:
    field = Field()
    field.rate("QUIC", 5)
    snapshot = take_snapshot(field.study.sha256)
    (path,) = part_files(snapshot, VOTES)
    good = path.read_bytes()
    for damaged in (path, folder_of(snapshot) / "verdicts.parquet"):
        damaged.write_bytes(damaged.read_bytes()[:-1])
    with pytest.raises(DamagedSnapshotError, match=rf"{path.name} is missing or damaged"):
        part_files(snapshot, VOTES)
    assert take_snapshot(field.study.sha256) == snapshot
    assert part_files(snapshot, VOTES) == [path]
    assert path.read_bytes() == good
    with checked_file(snapshot, "verdicts.parquet"):
        pass
    assert {p.name for p in snapshot_folder().iterdir()} == {snapshot.sha256, field.study.sha256}


def test_parquet_carries_descriptions_and_gives_every_type_back(tmp_path: Path) -> None:
    types = ("string", "integer", "number", "datetime")
    columns = [Column(name, name, "ms" if name == "number" else None, f"a {name}") for name in types]  # type: ignore[arg-type]
    data = parquet_bytes(columns, [("ä", 7, 1.5, BEGIN), (None,) * 4])
    (tmp_path / "x.parquet").write_bytes(data)
    assert read_columns(tmp_path / "x.parquet") == {
        "string": ["ä", None],
        "integer": [7, None],
        "number": [1.5, None],
        "datetime": [BEGIN, None],
    }
    schema = pq.read_schema(tmp_path / "x.parquet")
    assert schema.field("number").metadata[b"unit"] == b"ms"
    assert schema.field("integer").metadata[b"description"] == b"a integer"
    assert parquet_bytes(columns, [("ä", 7, 1.5, BEGIN), (None,) * 4]) == data


def test_the_votes_file_has_the_columns_of_an_export() -> None:
    assert PARTS[VOTES] == export_columns()


def test_votes_without_a_verdict_are_kept_but_left_out() -> None:
    field = Field()
    field.rate("QUIC", 7)
    under_way, done = field.session(judged=False), field.session(judged=False)
    Session.objects.filter(pk=done.pk).update(state="completed")
    field.rate("QUIC", 1, by=under_way)
    field.rate("QUIC", 2, by=done)
    snapshot = take_snapshot(field.study.sha256)
    assert (snapshot.votes, snapshot.exclusions) == (3, 2)
    assert {(row["session_id"], row["rule"]) for row in rows(snapshot, "exclusions.parquet")} == {
        (str(under_way.pk), "incomplete"),
        (str(done.pk), "unjudged"),
    }
    assert counted_votes(snapshot)["score"] == [7]


def test_verdicts_go_along_and_name_no_session_without_a_vote() -> None:
    field = Field()
    kept, broke = field.session(), field.session()
    field.session(judged=False)  # went away at once
    field.rate("QUIC", 7, by=kept)
    field.rate("QUIC", 1, by=broke)
    field.exclude(broke, "R3")
    found = {row["session_id"]: row for row in rows(take_snapshot(field.study.sha256), "verdicts.parquet")}
    assert set(found) == {str(kept.pk), str(broke.pk), None}
    assert [found[str(kept.pk)][name] for name in ("group", "state", "accepted", "used", "R7_broken")] == [
        "volunteer",
        "completed",
        "yes",
        "yes",
        "no",
    ]
    assert [found[str(broke.pk)][name] for name in ("accepted", "used", "left_out_by")] == ["yes", "no", "R3"]
    assert {name: value for name, value in found[None].items() if value is not None} == {
        "group": "volunteer",
        "origin": "person",
        "state": "started",
    }
