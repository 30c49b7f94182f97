"""Who downloads an export, what it contains, one at a time, and what is said where there is none."""

import json
import threading
from datetime import UTC, datetime, timedelta
from typing import IO

import pytest
from django.test import Client
from django.utils import timezone

from analysis.models import Result, ResultOrigin, Snapshot
from analysis.snapshots.columns import FILES
from audit.models import AuditEntry
from exports import api
from exports.archive import write_archive
from exports.models import Export
from eyelevel_core.contracts import sha256_of_bytes
from eyelevel_stats.tables import TABLES
from studies.models import Fielding, Study
from testing.store import part_files
from testing.threads import at_once
from testing.votes import BEGIN, Field, sha

from .exported import analysed, counted_field, exported, path, rows, unpacked

pytestmark = [pytest.mark.services, pytest.mark.django_db]

EARLY = datetime(2026, 1, 1, tzinfo=UTC)


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
    listed = json.loads(files["snapshot.json"])["files"]
    assert set(files) == {
        "README.txt",
        "votes.csv",
        "plays.csv",
        "counts.csv",
        "departures.csv",
        "demographics.csv",
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
        *(table.file for table in TABLES.values()),
        *listed,
        *(f"figures/{name}.svg" for name in ("satisfaction", "mos-dsl", "scores", "screening-volunteer")),
        *(f"figures/against-{metric}.svg" for metric in ("fvc", "si", "vc85", "lvc")),
    }
    assert sha256_of_bytes(files["snapshot.json"]) == result.snapshot.sha256
    assert files["study.json"].decode() == field.study.frozen_text
    assert {*FILES, f"votes/{BEGIN:%Y-%m-%d}.parquet"} <= set(listed)
    assert {name: sha256_of_bytes(files[name]) for name in listed} == {
        name: own["sha256"] for name, own in listed.items()
    }


def test_readme_and_its_table_name_the_departures_from_the_plan(rosa: Client) -> None:
    field = Field()
    field.rate("QUIC", 6)
    analysed(field)
    Snapshot.objects.update(created_at=timezone.now() - timedelta(hours=1))
    answer = rosa.get(path(field.study.sha256))
    files = unpacked(b"".join(answer.streaming_content))  # type: ignore[attr-defined]
    look, *analyses = rows(files["departures.csv"])
    assert (look["kind"], look["subject"], look["sessions"]) == ("look", "results", "1")
    assert [row["subject"] for row in analyses] == ["mos", "metrics"]
    text = files["README.txt"].decode().partition("Departures from the plan")[2].partition("Files")[0]
    listed = [line.removeprefix("  - ") for line in text.split("\n") if line.startswith("  - ")]
    assert listed == [row["sentence"] for row in (look, *analyses)]
    opened = AuditEntry.objects.get(what="look").at
    assert f"unchanged since {opened:%Y-%m-%d %H:%M:%S} UTC." in text


def unchanged_since(field: Field) -> str:
    text = exported(analysed(field))["README.txt"].decode()
    return text.partition("unchanged since ")[2].partition(".")[0]


def test_closing_the_study_is_an_event_since_which_departures_may_have_changed(rosa: Client) -> None:
    field = Field()
    field.rate("QUIC", 6)
    analysed(field)
    Snapshot.objects.update(created_at=timezone.now() - timedelta(hours=1))
    Study.objects.update(published_at=EARLY)
    Fielding.objects.update(opened_at=EARLY)
    answer = rosa.post(
        f"/api/research/fieldings/{field.fielding.slug}/state", {"state": "closed"}, content_type="application/json"
    )
    assert answer.status_code == 200
    closed = AuditEntry.objects.get(what="close")
    assert unchanged_since(field) == f"{closed.at:%Y-%m-%d %H:%M:%S} UTC"


def test_votes_on_an_earlier_version_are_an_event_since_which_departures_may_have_changed() -> None:
    field, newer = Field(), Field(number=2)
    Study.objects.filter(pk=newer.study.pk).update(parent_sha256=field.study.sha256)
    for one in (newer, field):
        one.rate("QUIC", 6)
        analysed(one)
    latest = timezone.now() + timedelta(hours=1)
    Snapshot.objects.filter(study=field.study).update(created_at=latest)
    assert unchanged_since(newer) == f"{latest:%Y-%m-%d %H:%M:%S} UTC"


def test_page_and_export_list_the_same_departures_and_none_before_anybody_has_seen_results(rosa: Client) -> None:
    field = Field()
    field.rate("QUIC", 6)
    field.rate("QUIC", 4, by=field.session(origin="simulated"))
    analysed(field)
    page = f"/api/research/studies/{field.study.sha256}/results"
    assert rosa.get(page).json()["departures"] == []
    for origin, simulated in (("person", 0), ("all", 1)):
        answer = rosa.get(path(field.study.sha256), {"origin": origin})
        exported = rows(unpacked(b"".join(answer.streaming_content))["departures.csv"])  # type: ignore[attr-defined]
        shown = rosa.get(page, {"origin": origin}).json()
        names = ("kind", "subject", "sentence")
        assert [[one[name] for name in names] for one in shown["departures"]] == [
            [one[name] for name in names] for one in exported
        ]
        assert [one["kind"] for one in exported] == ["look", "analysis", "analysis"] + ["simulated"] * simulated


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


def test_an_export_whose_results_were_replaced_just_now_is_not_recorded(rosa: Client) -> None:
    field = counted_field()
    analysed(field)
    Result.objects.filter(origin=ResultOrigin.ALL).delete()
    answer = rosa.get(path(field.study.sha256), {"origin": "all"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "busy")
    assert not Export.objects.exists()
    assert Snapshot.objects.get().exported_at is None


def test_before_results_there_is_nothing_to_export(rosa: Client) -> None:
    answer = rosa.get(path(Field().study.sha256))
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "no_results")


def test_a_damaged_snapshot_is_said_and_not_sent(rosa: Client) -> None:
    field = Field()
    field.rate("QUIC", 6)
    (part,) = part_files(analysed(field).snapshot, "votes")
    part.unlink()
    answer = rosa.get(path(field.study.sha256))
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "snapshot_damaged")


@pytest.mark.django_db(transaction=True)
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
