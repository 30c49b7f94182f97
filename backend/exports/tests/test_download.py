"""Who downloads an export, what it contains, until when, and what is said where there is none."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import ApiToken, Role, Scope, User
from analysis.models import Result, ResultOrigin, Snapshot
from analysis.snapshots.columns import FILES
from audit.models import AuditEntry
from exports import jobs
from exports.models import Export, ExportJob
from eyelevel_core.contracts import sha256_of_bytes
from eyelevel_stats.tables import TABLES
from eyelevel_store import StoreError
from eyelevel_store.folder import FolderStore
from lib import stores
from studies.models import Fielding, Study
from testing import studies
from testing.exports import ask, download, fetched, jobs_path, make
from testing.votes import BEGIN, Field, sha
from testing.web import error_code, stranger

from .exported import analysed, counted_field, exported, rows, unpacked

pytestmark = [pytest.mark.services, pytest.mark.django_db]

EARLY = datetime(2026, 1, 1, tzinfo=UTC)


def test_a_researcher_downloads_everything(rosa: Client) -> None:
    field = Field()
    field.rate("QUIC", 6)
    result = analysed(field)
    job = finished_job(rosa, field)
    assert Snapshot.objects.get().exported_at is not None
    answer = rosa.get(job["file"])
    data = answer.getvalue()
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/zip")
    assert answer["Content-Disposition"] == f'attachment; filename="eyelevel-demo-{result.snapshot.sha256[:12]}.zip"'
    assert (len(data), sha256_of_bytes(data)) == (job["size_bytes"], job["sha256"])
    assert answer["Content-Length"] == str(len(data))
    files = unpacked(data)
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
        name: entry["sha256"] for name, entry in listed.items()
    }


def test_readme_and_its_table_name_the_departures_from_the_plan(rosa: Client) -> None:
    field = Field()
    field.rate("QUIC", 6)
    analysed(field)
    Snapshot.objects.update(created_at=timezone.now() - timedelta(hours=1))
    files = unpacked(download(rosa, field.study.sha256))
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
    for version in (newer, field):
        version.rate("QUIC", 6)
        analysed(version)
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
        exported = rows(unpacked(download(rosa, field.study.sha256, origin=origin))["departures.csv"])
        shown = rosa.get(page, {"origin": origin}).json()
        names = ("kind", "subject", "sentence")
        assert [[departure[name] for name in names] for departure in shown["departures"]] == [
            [departure[name] for name in names] for departure in exported
        ]
        assert [departure["kind"] for departure in exported] == ["look", "analysis", "analysis"] + [
            "simulated"
        ] * simulated


def test_an_export_leaves_out_the_simulated_unless_asked_for(rosa: Client) -> None:
    field = counted_field()
    analysed(field)
    whole, people = (finished_job(rosa, field, origin=origin) for origin in ("all", "person"))
    answer = rosa.get(whole["file"])
    assert answer["Content-Disposition"].endswith('-all.zip"')
    assert answer.getvalue()[:2] == b"PK"
    votes = [len(rows(unpacked(fetched(rosa, job["file"]))["votes.csv"])) for job in (people, whole)]
    assert votes == [1, 2]
    assert [entry.details["origin"] for entry in AuditEntry.objects.filter(what="export").order_by("pk")] == [
        *("all", "person")
    ]


def finished_job(client: Client, field: Field, origin: str = "person") -> dict[str, Any]:
    """A job of which a worker has done its part, as the API says it."""
    asked = ask(client, field.study.sha256, origin=origin)
    assert asked.status_code == 202
    make(asked.json()["id"])
    job: dict[str, Any] = client.get(f"{jobs_path(field.study.sha256)}/{asked.json()['id']}").json()
    return job


@pytest.fixture
def field() -> Field:
    """A study with results, owned by nobody: admins and those it is shared with see it."""
    field = Field()
    field.rate("QUIC", 6)
    analysed(field)
    return field


def test_an_export_whose_results_were_replaced_just_now_is_not_recorded(rosa: Client) -> None:
    field = counted_field()
    analysed(field)
    Result.objects.filter(origin=ResultOrigin.ALL).delete()
    assert error_code(ask(rosa, field.study.sha256, origin="all")) == (503, "busy")
    assert not ExportJob.objects.exists()
    assert not AuditEntry.objects.filter(what="export").exists()
    assert Snapshot.objects.get().exported_at is None


def test_before_results_there_is_nothing_to_export_and_nothing_is_unblinded(rosa: Client) -> None:
    assert error_code(ask(rosa, Field().study.sha256)) == (409, "no_results")
    assert not ExportJob.objects.exists()
    assert not AuditEntry.objects.filter(what="unblind").exists()


def test_what_is_logged_is_logged_when_somebody_asks_and_the_export_once_it_can_be_downloaded(
    rosa: Client, field: Field
) -> None:
    job = ask(rosa, field.study.sha256).json()
    assert [entry.what for entry in AuditEntry.objects.order_by("pk")][-3:] == ["unblind", "look", "export"]
    assert not Export.objects.exists()
    assert (job["state"], job["file"], job["sha256"], job["of"], job["seconds_left"]) == ("queued", *(None,) * 4)
    early = rosa.get(f"{jobs_path(field.study.sha256)}/{job['id']}/file")
    assert (error_code(early), early["Retry-After"]) == ((503, "not_ready"), "2")
    assert make(job["id"])
    assert (Export.objects.get().exported_by, Export.objects.get().votes) == (User.objects.get(username="rosa"), 1)
    assert fetched(rosa, f"{jobs_path(field.study.sha256)}/{job['id']}/file")[:2] == b"PK"
    assert AuditEntry.objects.filter(what="export").count() == 1


def test_who_asks_twice_gets_the_same_job_until_it_is_done_and_then_another_one(rosa: Client, field: Field) -> None:
    first, same, other = (
        ask(rosa, field.study.sha256, origin=origin).json()["id"] for origin in ("person", "person", "all")
    )
    assert first == same != other
    assert AuditEntry.objects.filter(what="export").count() == 2
    make(first)
    third = ask(rosa, field.study.sha256).json()["id"]
    listed = rosa.get(jobs_path(field.study.sha256)).json()
    assert [job["id"] for job in listed] == [third, other, first]
    assert third != first


def test_a_script_with_a_token_asks_waits_and_downloads(field: Field) -> None:
    owner = studies.user("olga", Role.RESEARCHER)
    Study.objects.update(published_by=owner)
    token = ApiToken.issue(user=owner, name="nightly", scope=Scope.RESULTS)
    assert download(Client(headers={"Authorization": f"Bearer {token}"}), field.study.sha256)[:2] == b"PK"


def test_an_export_is_its_askers_alone_and_needs_their_right_to_this_day(rosa: Client, field: Field) -> None:
    job = finished_job(rosa, field)
    status_path = f"{jobs_path(field.study.sha256)}/{job['id']}"
    ada = Client()
    ada.force_login(studies.user("ada", Role.ADMIN))
    assert ada.get(jobs_path(field.study.sha256)).json() == []
    assert [ada.get(address).status_code for address in (status_path, job["file"])] == [404, 404]
    assert [stranger().get(address).status_code for address in (status_path, job["file"])] == [401, 401]
    # of another study
    assert rosa.get(job["file"].replace(field.study.sha256, sha(9))).status_code == 404
    studies.user("otto", Role.RESEARCHER)
    Study.objects.update(published_by=User.objects.get(username="otto"))
    assert [rosa.get(address).status_code for address in (status_path, job["file"])] == [404, 404]


def test_after_seven_days_an_export_is_refused_with_a_sentence_and_its_file_goes(rosa: Client, field: Field) -> None:
    job = finished_job(rosa, field)
    row = ExportJob.objects.get()
    assert row.expires_at is not None
    assert row.finished_at is not None
    assert row.expires_at - row.finished_at == timedelta(days=7)
    status_path = f"{jobs_path(field.study.sha256)}/{job['id']}"
    sentence = "The file was deleted 7 days after it was made; request a new export."
    ExportJob.objects.update(expires_at=timezone.now())
    # no sweep has come yet
    for swept in (False, True):
        if swept:
            assert (jobs.sweep_expired(timezone.now(), False), len(stored())) == (1, 1)
            assert (jobs.sweep_expired(timezone.now(), True), stored()) == (1, [])
        body = rosa.get(status_path).json()
        assert (body["state"], body["file"], body["reason"], body["message"]) == ("expired", None, "over", sentence)
        refused = rosa.get(job["file"])
        assert (error_code(refused), refused.json()["error"]["message"]) == ((410, "export_expired"), sentence)
    # who had it is known for good
    assert Export.objects.count() == 1
    ExportJob.objects.update(asked_at=timezone.now() - timedelta(days=31))
    assert jobs.old_jobs(timezone.now()).count() == 1


def stored() -> list[str]:
    return [entry.key for entry in stores.exports().list()]


def test_exports_with_the_same_bytes_share_a_file_which_stays_for_the_last_of_them(rosa: Client, field: Field) -> None:
    finished_job(rosa, field)
    ada = Client()
    ada.force_login(studies.user("ada", Role.ADMIN))
    # the look of the second one is in its file; after the field nothing is a look
    Fielding.objects.update(state="closed")
    early, late = finished_job(rosa, field), finished_job(ada, field)
    assert early["sha256"] == late["sha256"]
    assert len(stored()) == 2
    ExportJob.objects.filter(asked_by__username="rosa").update(expires_at=timezone.now())
    assert jobs.sweep_expired(timezone.now(), True) == 2
    assert stored() == [f"{late['sha256']}.zip"]
    assert fetched(ada, late["file"])[:2] == b"PK"


def test_a_file_missing_from_the_store_is_reported_and_an_unavailable_store_is_asked_again(
    rosa: Client, field: Field, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = finished_job(rosa, field)

    def refuse(_: FolderStore, key: str) -> Any:
        raise StoreError(f"{key} cannot be read", away=True)

    with monkeypatch.context() as away:
        away.setattr(FolderStore, "open", refuse)
        assert error_code(rosa.get(job["file"])) == (503, "unavailable")
    stores.exports().delete(f"{job['sha256']}.zip")
    refused = rosa.get(job["file"])
    assert (error_code(refused), "after a restore" in refused.json()["error"]["message"]) == (
        (410, "export_expired"),
        True,
    )
    assert rosa.get(jobs_path(field.study.sha256)).json()[0]["state"] == "expired"


def test_with_only_the_reserve_left_on_the_disk_nobody_may_ask(rosa: Client, field: Field, settings: Any) -> None:
    settings.DISK_RESERVE_BYTES = 1 << 60
    assert error_code(ask(rosa, field.study.sha256)) == (507, "no_room")
    assert not ExportJob.objects.exists()


def test_nobody_else_may_export(client: Client) -> None:
    assert ask(client, Field().study.sha256).status_code == 401


def test_an_unknown_study_is_not_found(rosa: Client) -> None:
    assert ask(rosa, sha(9)).status_code == 404
