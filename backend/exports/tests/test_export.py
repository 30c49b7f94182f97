"""An export is a zip that explains itself, keeps to its contract, and carries its snapshot."""

import csv
import io
import json
import threading
import zipfile
from dataclasses import fields
from typing import IO

import pyarrow.parquet as pq
import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.test import Client
from django.utils import timezone

from accounts.models import Role
from analysis import tasks
from analysis.columns import FILES
from analysis.in_depth_runs import run_if_due
from analysis.models import AnalysisState, Result, ResultOrigin, Snapshot
from analysis.origins import of_origin
from analysis.snapshots import folder_of
from audit.models import AuditEntry
from exports import api
from exports.archive import write_archive
from exports.models import Export
from eyelevel_core.contracts import sha256_of_bytes
from eyelevel_core.contracts.columns import export_columns, play_columns
from eyelevel_stats.tables import TABLES
from ratings.models import Trial
from stimuli.blobs import name_of
from stimuli.models import BatchFile
from studies.lifecycle import change_state
from studies.models import Fielding, FieldingState, forget_designs
from testing import studies
from testing.threads import at_once
from testing.votes import Field, sha

CONFORMANCE = ("conformance.csv", "funnel.csv", "counts.csv", "sessions.csv", "clips.csv", "data-dictionary.csv")
pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]


def path(study: str) -> str:
    return f"/api/research/studies/{study}/export"


@pytest.fixture
def rosa(client: Client) -> Client:
    client.force_login(studies.user("rosa", Role.RESEARCHER))
    return client


def analysed(field: Field) -> Result:
    tasks.votes_arrived(field.study.sha256)
    result = AnalysisState.objects.select_related("result__snapshot__study").get(study=field.study).result
    assert result is not None
    return result


def unpacked(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def exported(result: Result) -> dict[str, bytes]:
    out = io.BytesIO()
    write_archive(result, out)
    return unpacked(out.getvalue())


def rows(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode(), newline="")))


def test_a_researcher_downloads_everything(rosa: Client) -> None:
    field = Field()
    field.rate("QUIC", 6)
    result = analysed(field)
    answer = rosa.get(path(field.study.sha256))
    assert answer.status_code == 200
    assert Snapshot.objects.get().exported_at is not None
    assert answer["Content-Type"] == "application/zip"
    assert answer["Content-Disposition"] == f'attachment; filename="eyelevel-demo-{result.snapshot.sha256[:12]}.zip"'
    files = unpacked(b"".join(answer.streaming_content))  # type: ignore[attr-defined]
    assert set(files) == {
        "README.txt",
        "votes.csv",
        "plays.csv",
        "counts.csv",
        "sessions.csv",
        "clips.csv",
        "sureal.json",
        "datapackage.json",
        "manifest.json",
        "conformance.csv",
        "funnel.csv",
        "data-dictionary.csv",
        "study.json",
        "snapshot.json",
        *TABLES,
        *FILES,
    }
    assert sha256_of_bytes(files["snapshot.json"]) == result.snapshot.sha256
    assert files["study.json"].decode() == field.study.frozen_text
    listed = json.loads(files["snapshot.json"])["files"]
    assert {name: sha256_of_bytes(files[name]) for name in FILES} == {name: listed[name]["sha256"] for name in FILES}


def test_votes_have_the_contracts_columns_in_its_order() -> None:
    field = Field()
    field.rate("QUIC", 6)
    field.compare("none")
    votes = exported(analysed(field))["votes.csv"].decode()
    assert votes.splitlines()[0].split(",") == [column.name for column in export_columns()]


def test_every_cell_is_what_was_stored_and_unknown_is_empty() -> None:
    field = Field()
    vote = field.rate("TCP+", 3)
    (row,) = rows(exported(analysed(field))["votes.csv"])
    assert {name: text for name, text in row.items() if text} == {
        "vote_id": str(vote.id),
        "session_id": str(vote.session_id),
        "study_sha256": field.study.sha256,
        "trial_kind": "rate",
        "trial_kind_version": "2",
        "layout": "row",
        "position": "1",
        "context": "work",
        "site": "garden",
        "network": "DSL",
        "stack": "TCP+",
        "clip_sha256": vote.clip_sha256,
        "score": "3",
        "replays": "1",
        "answer_ms": "1234.5",
        "language": "en",
        "received_at": "2026-01-02T03:04:05Z",
        "fvc_ms": "800.25",
        "si_ms": "1600.5",
        "vc85_ms": "3201.0",
        "lvc_ms": "4801.5",
        "media_ms": "1500.5",
        "group": "volunteer",
        "origin": "person",
        "role": "main",
        "answered_at": "2026-01-02T03:04:05Z",
        "block": "0",
        "start_ms": "0.0",
        "duration_ms": "1000.0",
        "settled": "yes",
    }


def test_text_that_looks_like_a_formula_is_written_as_text() -> None:
    field = Field()
    clip = field.stimuli["QUIC"].clip
    clip.site = "=1+1"
    clip.save()
    field.rate("QUIC", 6)
    files = exported(analysed(field))
    assert rows(files["votes.csv"])[0]["site"] == rows(files["mos.csv"])[0]["site"] == "'=1+1"


def test_excluded_sessions_are_in_the_parquet_but_not_in_the_votes() -> None:
    field = Field()
    field.rate("QUIC", 6)
    bad = field.rate("QUIC", 1)
    field.exclude(bad.session, "R5")
    files = exported(analysed(field))
    assert [row["score"] for row in rows(files["votes.csv"])] == ["6"]
    assert [row["mos"] for row in rows(files["mos.csv"])] == ["6.0"]
    assert pq.read_table(io.BytesIO(files["votes.parquet"])).num_rows == 2
    assert pq.read_table(io.BytesIO(files["exclusions.parquet"])).to_pylist() == [
        {"session_id": str(bad.session_id), "rule": "R5"}
    ]


def test_the_dictionary_explains_every_column_of_every_file() -> None:
    field = Field()
    field.rate("QUIC", 6)
    files = exported(analysed(field))
    described = {(row["file"], row["column"]): row for row in rows(files["data-dictionary.csv"])}
    expected = {("votes.csv", column.name) for column in export_columns()}
    expected |= {("plays.csv", column.name) for column in play_columns()}
    expected |= {(name, field.name) for name, row in TABLES.items() for field in fields(row)}
    expected |= {(name, column) for name in FILES for column in pq.read_table(io.BytesIO(files[name])).column_names}
    expected |= {(name, column) for name in CONFORMANCE for column in rows(files[name])[0]}
    assert set(described) == expected
    assert all(row["description"] and row["type"] for row in described.values())
    assert described["points.csv", "si_ms"]["unit"] == "ms"
    assert described["mos.csv", "n"]["type"] == "integer"


def test_the_readme_names_study_snapshot_and_citation() -> None:
    field = Field()
    field.rate("QUIC", 6)
    result = analysed(field)
    text = exported(result)["README.txt"].decode()
    papers = ("3340301.3341123", "3359989.3365416", "WWW 2018", "Nepomuceno", "2004.01978")
    for needed in (field.study.sha256, result.snapshot.sha256, "How to cite", *papers):
        assert needed in text


def test_readme_and_counts_say_the_same_of_every_session_and_vote() -> None:
    field = counted_field()
    for origin, simulated in (("person", 0), ("all", 1)):
        files = exported(of_origin(analysed(field), ResultOrigin(origin)))
        text = files["README.txt"].decode()
        counted = rows(files["counts.csv"])
        lines = {line[2:14].strip(): line[14:34].split() for line in text.splitlines()}
        for row in counted:
            assert lines[row["outcome"].replace("_", " ")] == [row["sessions"], row["votes"]]
        assert lines["in all"] == ["5", "5"]
        assert f"Simulated sessions in votes.csv and the tables: {simulated}." in text


def counted_field() -> Field:
    """A vote each of sessions that are used, excluded, over quota and incomplete, and of a simulated one."""
    field = Field()
    field.rate("QUIC", 6)
    field.exclude(field.rate("QUIC", 1).session, "R3")
    Trial.objects.filter(session=field.rate("QUIC", 2).session).update(slot=None)
    field.rate("QUIC", 3, by=field.session(judged=False))
    field.rate("QUIC", 4, by=field.session(origin="simulated"))
    return field


def test_counts_funnel_and_rows_of_an_export_add_up() -> None:
    field = counted_field()
    expected = {
        "person": {"used": 1, "excluded": 1, "over_quota": 1, "waiting": 0, "incomplete": 1, "simulated": 1},
        "all": {"used": 2, "excluded": 1, "over_quota": 1, "waiting": 0, "incomplete": 1, "simulated": 0},
    }
    for origin, outcomes in expected.items():
        files = exported(of_origin(analysed(field), ResultOrigin(origin)))
        assert {row["outcome"]: int(row["sessions"]) for row in rows(files["counts.csv"])} == outcomes
        assert {row["outcome"]: int(row["votes"]) for row in rows(files["counts.csv"])} == outcomes
        assert len(rows(files["votes.csv"])) == outcomes["used"]
        assert sum(outcomes.values()) == pq.read_table(io.BytesIO(files["votes.parquet"])).num_rows
        funnel = {row["step"]: int(row["left"]) for row in rows(files["funnel.csv"])}
        assert funnel["started"] == sum(outcomes.values()) - outcomes["simulated"]
        assert funnel["completed"] == funnel["started"] - outcomes["incomplete"]
        assert (funnel["waiting"], funnel["beyond_quota"]) == (outcomes["waiting"], outcomes["over_quota"])
        assert funnel["used"] == outcomes["used"]
        assert {row["origin"] for row in rows(files["votes.csv"])} == (
            {"person"} | ({"simulated"} if origin == "all" else set())
        )


def test_an_export_leaves_out_the_simulated_unless_asked_for(rosa: Client) -> None:
    field = counted_field()
    analysed(field)
    whole, people = (rosa.get(path(field.study.sha256), query) for query in ({"origin": "all"}, {}))
    assert whole["Content-Disposition"].endswith('-all.zip"')
    votes = [
        len(rows(unpacked(b"".join(answer.streaming_content))["votes.csv"]))  # type: ignore[attr-defined]
        for answer in (people, whole)
    ]
    assert votes == [1, 2]
    assert [entry.details["origin"] for entry in AuditEntry.objects.filter(what="export").order_by("pk")] == [
        *("all", "person")
    ]


def test_identical_pairs_and_repeats_go_along() -> None:
    field = Field()
    ann = field.session()
    field.place(40, by=ann)
    field.place(50, by=ann, role="repeat", repeats=1)
    field.compare("right", by=ann, which="alike", role="identical")
    files = exported(analysed(field))
    assert [row["role"] for row in rows(files["votes.csv"])] == ["main", "repeat", "identical"]
    assert [row["value"] for row in rows(files["votes.csv"])] == ["40.0", "50.0", ""]
    (alike,) = rows(files["identical.csv"])
    assert (alike["stack"], alike["chose_right"], alike["share_different"]) == ("QUIC", "1", "1.0")
    assert [(row["kind"], row["mean_difference"]) for row in rows(files["repeats.csv"])] == [("slider", "10.0")]
    assert [row["mean"] for row in rows(files["values.csv"])] == ["40.0"]


def test_plays_have_the_contracts_columns_and_are_of_the_sessions_that_count() -> None:
    field = Field()
    vote, bad = field.rate("TCP+", 3), field.rate("TCP+", 1)
    play = field.play(vote.trial, off_speed=True, off_speed_ms=60, stalls=[{"at_ms": 100, "ms": 250.5}])
    left_out = field.play(bad.trial)
    field.exclude(bad.session, "R5")
    files = exported(analysed(field))
    assert files["plays.csv"].decode().splitlines()[0].split(",") == [column.name for column in play_columns()]
    (row,) = rows(files["plays.csv"])
    assert (row["play_id"], row["session_id"], row["replay"]) == (str(play.id), str(vote.session_id), "no")
    assert (row["off_speed"], row["off_speed_ms"], row["longest_stall_ms"]) == ("yes", "60.0", "250.5")
    assert row["started_at"].endswith("Z")
    every = pq.read_table(io.BytesIO(files["plays.parquet"])).to_pylist()
    assert {row["play_id"] for row in every} == {str(play.id), str(left_out.id)}


def test_the_same_snapshot_gives_the_same_bytes() -> None:
    field = Field()
    field.rate("QUIC", 6)
    result = analysed(field)
    first, second = io.BytesIO(), io.BytesIO()
    write_archive(result, first)
    write_archive(result, second)
    assert first.getvalue() == second.getvalue()


def test_nothing_personal_is_in_an_export() -> None:
    """Neither participant nor cookie token nor completion code: nothing that leads to a person."""
    field = Field()
    vote = field.rate("QUIC", 6)
    field.play(vote.trial)
    session = vote.session
    everything = b"".join(exported(analysed(field)).values())
    for secret in (str(session.participant_id), session.token_sha256, vote.trial.clip_token):
        assert secret
        assert secret.encode() not in everything


def test_before_results_there_is_nothing_to_export(rosa: Client) -> None:
    answer = rosa.get(path(Field().study.sha256))
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "no_results")


def test_a_damaged_snapshot_is_said_and_not_sent(rosa: Client) -> None:
    field = Field()
    field.rate("QUIC", 6)
    (folder_of(analysed(field).snapshot) / "votes.parquet").unlink()
    answer = rosa.get(path(field.study.sha256))
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "snapshot_damaged")


def test_one_export_at_a_time_and_the_next_is_told_to_come_back(rosa: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second one meets the first in the middle of its work; a third, later, finds it done."""
    field = Field()
    field.rate("QUIC", 6)
    analysed(field)
    monkeypatch.setattr(api, "PATIENCE_S", 0.05)
    begun, told = threading.Event(), threading.Event()

    def slow(result: Result, out: IO[bytes]) -> None:
        begun.set()
        assert told.wait(timeout=20)
        write_archive(result, out)

    def ask(number: int) -> tuple[int, str | None]:
        if number == 1:
            assert begun.wait(timeout=20)
        try:
            answer = rosa.get(path(field.study.sha256))
        finally:
            if number == 1:
                told.set()
        answer.close()
        return answer.status_code, answer.get("Retry-After")

    with monkeypatch.context() as patch:
        patch.setattr("exports.archive.write_archive", slow)
        assert at_once(ask, threads=2) == [(200, None), (429, "60")]
    # what was not handed out is in no list
    assert Export.objects.count() == 1
    assert ask(2)[0] == 200


def test_an_export_that_fails_keeps_no_turn(rosa: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api, "PATIENCE_S", 0.05)
    study = Field().study.sha256
    assert [rosa.get(path(study)).status_code for _ in range(2)] == [409, 409]


def test_nobody_else_may_export(client: Client) -> None:
    study = Field().study.sha256
    assert client.get(path(study)).status_code == 401


def test_an_unknown_study_is_not_found(rosa: Client) -> None:
    assert rosa.get(path(sha(9))).status_code == 404


def test_the_funnel_is_made_of_the_snapshots_verdicts() -> None:
    field = Field()
    field.rate("QUIC", 6)
    field.exclude(field.rate("QUIC", 1).session, "R3")
    field.session(judged=False)
    files = exported(analysed(field))
    funnel = rows(files["funnel.csv"])
    assert {(row["step"], row["left"], row["broken"]) for row in funnel} == {
        *{("started", "3", ""), ("completed", "2", ""), ("waiting", "0", "")},
        *{("R1", "2", "0"), ("R2", "2", "0"), ("R3", "1", "0"), ("R4", "1", "0")},
        *{("R5", "1", "0"), ("R6", "1", "0"), ("R7", "1", "0")},
        *{("R8", "1", "0"), ("R9", "1", "0")},
        *{("used", "1", ""), ("accepted", "2", "")},
    }
    # the study has neither control videos nor control questions, and asks after the end of a play
    assert {
        row["step"]: (row["asked"], row["unknown"]) for row in funnel if row["step"] in ("R3", "R4", "R6", "R7")
    } == {
        "R3": ("yes", "0"),
        "R4": ("no", ""),
        "R6": ("no", ""),
        "R7": ("no", ""),
    }
    assert {row["R6_broken"] for row in rows(files["conformance.csv"])} == {"not asked", ""}
    assert {row["R3_broken"] for row in rows(files["conformance.csv"])} == {"no", ""}
    assert sorted((row["state"], row["used"]) for row in rows(files["conformance.csv"])) == [
        ("completed", "no"),
        ("completed", "yes"),
        ("started", ""),
    ]


def test_sessions_have_a_column_per_question_and_say_what_each_rule_found() -> None:
    field = Field()
    ann = field.session(answers={"age": "old"})
    vote = field.rate("QUIC", 6, by=ann)
    field.rate("TCP+", 6, by=ann)
    field.play(vote.trial, off_speed=True, stalls=[{"at_ms": 1, "ms": 20}])
    field.play(vote.trial, off_speed_ms=None)
    field.exclude(field.rate("QUIC", 1).session, "R3")
    (row,) = rows(exported(analysed(field))["sessions.csv"])
    told = {
        "session_id": str(ann.pk),
        "person_age": "old",
        "duration_s": "600.0",
        "votes": "2",
        "origin": "person",
        "accepted": "yes",
        "R1_broken": "no",
        "R6_broken": "not asked",
        "same_answer_share": "1.0",
        "plays": "2",
        "plays_off_speed": "1",
        "plays_speed_unknown": "1",
        "plays_stalled": "1",
        "plays_dropped": "0",
        "screen_width_px": "1440",
    }
    assert {name: row[name] for name in told} == told


def test_clips_have_metrics_and_provenance_of_every_clip_of_the_study() -> None:
    field = Field()
    field.rate("QUIC", 6)
    clips = rows(exported(analysed(field))["clips.csv"])
    assert [row["clip_sha256"] for row in clips] == [sha(200 + number) for number in range(5)]
    single, pair = clips[1], clips[2]
    told = {"kind": "single", "stack": "TCP+", "si_ms": "1600.5", "take_sha256": sha(2), "duration_ms": "1000.0"}
    assert {name: single[name] for name in told} == told
    told = {"kind": "pair", "left_stack": "TCP+", "right_stack": "QUIC", "left_si_ms": "1600.5", "right_si_ms": "800.0"}
    assert {name: pair[name] for name in told} == told
    assert (pair["take_sha256"], pair["right_take_sha256"], pair["si_ms"]) == (sha(2), sha(1), "")
    assert [row["roles"] for row in clips] == ["main", "main", "main", "identical", "main"]
    assert {row["exact_share"] for row in clips} == {""}


def test_the_exact_share_is_read_from_the_takes_own_file() -> None:
    field = Field()
    field.rate("QUIC", 6)
    take = field.stimuli["QUIC"].clip.take
    text = json.dumps({"fidelity": {"exact": 9, "inexact": 1, "missed": 2}}).encode()
    default_storage.save(name_of(sha256_of_bytes(text)), ContentFile(text))
    BatchFile.objects.create(batch=take.batch, path=take.path, sha256=sha256_of_bytes(text), bytes=len(text))
    (row, *_) = rows(exported(analysed(field))["clips.csv"])
    assert float(row["exact_share"]) == 0.75


def test_ratings_are_a_dataset_of_sureal() -> None:
    """As `sureal.dataset_reader` reads its own test_dataset_os_as_dict_with_repetitions."""
    field = Field()
    ann, ben = field.session(), field.session()
    for session, stack, score in ((ann, "QUIC", 6), (ann, "TCP+", 4), (ben, "QUIC", 5)):
        field.rate(stack, score, by=session)
    field.rate("QUIC", 1, by=ben, role="repeat", repeats=1)
    field.compare("left", by=ben)
    dataset = json.loads(exported(analysed(field))["sureal.json"])
    assert dataset["ref_videos"] == [{"content_id": 0, "content_name": "garden", "path": sha(200)}]
    assert dataset["dis_videos"] == [
        {"content_id": 0, "asset_id": 0, "path": sha(200), "os": {str(ann.pk): 6, str(ben.pk): 5}},
        {"content_id": 0, "asset_id": 1, "path": sha(201), "os": {str(ann.pk): 4}},
    ]


def test_the_manifest_names_digest_and_rows_of_every_other_file() -> None:
    field = counted_field()
    result = analysed(field)
    files = exported(result)
    listed = json.loads(files["manifest.json"])
    assert set(listed["files"]) == set(files) - {"manifest.json"}
    assert (listed["snapshot_sha256"], listed["origin"]) == (result.snapshot_id, "person")
    for name, entry in listed["files"].items():
        assert (entry["sha256"], entry["bytes"]) == (sha256_of_bytes(files[name]), len(files[name]))
        if name.endswith(".csv"):
            assert entry["rows"] == len(rows(files[name]))
    assert listed["files"]["votes.parquet"]["rows"] == 5
    package = {one["path"]: one for one in json.loads(files["datapackage.json"])["resources"]}
    assert set(package) == set(files) - {"manifest.json", "datapackage.json"}
    assert package["votes.csv"]["hash"] == f"sha256:{listed['files']['votes.csv']['sha256']}"
    for name in files:
        if name.endswith(".csv"):
            header = next(csv.reader(io.StringIO(files[name].decode(), newline="")))
            assert [one["name"] for one in package[name]["schema"]["fields"]] == header


def closed_with_tables_in_depth(field: Field) -> Result:
    result = analysed(field)
    change_state(field.fielding, FieldingState.CLOSED)
    assert run_if_due(result.pk, timezone.now)
    return result


def test_tables_in_depth_are_files_of_their_own_with_every_column_described() -> None:
    field = Field()
    for score in (5, 6, 6):
        field.rate("QUIC", score)
    files = exported(closed_with_tables_in_depth(field))
    tables = [name for name in files if name.startswith("statistics/")]
    assert "statistics/scores.csv" in tables
    given = {row["score"]: row["count"] for row in rows(files["statistics/scores.csv"]) if row["site"] == "garden"}
    assert given == {"1": "0", "2": "0", "3": "0", "4": "0", "5": "1", "6": "2", "7": "0"}
    resources = {one["path"]: one["name"] for one in json.loads(files["datapackage.json"])["resources"]}
    assert resources["statistics/scores.csv"] == "statistics-scores"
    described = rows(files["data-dictionary.csv"])
    for name in tables:
        header = files[name].decode().splitlines()[0].split(",")
        assert [row["column"] for row in described if row["file"] == name] == header
    types = {row["column"]: row["type"] for row in described if row["file"] == "statistics/scores.csv"}
    assert types == dict.fromkeys(("site", "network", "stack", "context"), "string") | dict.fromkeys(
        ("score", "count", "votes"), "integer"
    ) | {"share": "number"}
    assert "statistics/          tables that take fits and resampling, one file each" in files["README.txt"].decode()


def test_without_tables_in_depth_the_readme_says_when_they_come() -> None:
    field = Field()
    field.rate("QUIC", 6)
    result = closed_with_tables_in_depth(field)
    # nobody takes a verdict home while votes may still come
    Fielding.objects.create(study=field.study, quota_sessions=1)
    files = exported(result)
    assert not [name for name in files if name.startswith("statistics/")]
    assert "they come some minutes after every link of the study is closed" in files["README.txt"].decode()


def test_answers_about_metrics_are_in_the_plans_order_among_the_hypotheses() -> None:
    field = Field()
    frozen = json.loads(field.study.frozen_text)
    pair = {"kind": "rate", "pair": ["TCP+", "QUIC"], "networks": "each", "expects": "higher"}
    frozen["study"]["plan"]["hypotheses"] = [
        {"key": "H1", "says": "SI agrees best with people.", "kind": "metrics", "metric": "SI"},
        {"key": "H2", "says": "QUIC is rated higher.", **pair},
    ]
    field.study.frozen_text = json.dumps(frozen)
    field.study.save()
    forget_designs()
    field.rate("QUIC", 6)
    result = closed_with_tables_in_depth(field)
    result.snapshot.study.refresh_from_db()
    assert [row["hypothesis"] for row in rows(exported(result)["hypotheses.csv"])] == ["H1", "H2"]
