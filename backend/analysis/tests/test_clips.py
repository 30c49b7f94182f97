"""The clips of a study: what researchers see of each, its progress curve, and its votes once results are shown."""

import json
from typing import Any

import pytest
from django.test import Client

from accounts.models import Role
from analysis import tasks
from eyelevel_core.contracts import sha256_of_bytes
from lib import stores
from stimuli.blobs import name_of
from stimuli.models import BatchFile, Clip, Take
from testing.tables import rows_in
from testing.votes import Field, sha
from testing.web import error_code, post, signed_in

pytestmark = [pytest.mark.services, pytest.mark.django_db]
CURVE: list[tuple[float, int]] = [(0, 0), (400.0, 60), (800.0, 100)]


@pytest.fixture
def rosa(db: None) -> Client:
    return signed_in("rosa", Role.RESEARCHER)


@pytest.fixture
def field(rosa: Client) -> Field:
    return Field()


def path(field: Field, digest: str | None = None) -> str:
    return f"/api/research/studies/{field.study.sha256}/clips{'' if digest is None else f'/{digest}'}"


def detail(client: Client, field: Field, which: str, **query: str) -> Any:
    answer = client.get(path(field, field.stimuli[which].clip.sha256), query)
    assert answer.status_code == 200
    return answer.json()


def unblind(client: Client, field: Field) -> None:
    assert post(client, f"/api/research/studies/{field.study.sha256}/unblind", {}).status_code == 204


def put_file(take: Take, name: str, value: Any) -> None:
    """A file beside the take's, as an upload stores it."""
    data = json.dumps(value).encode()
    digest = sha256_of_bytes(data)
    stores.blobs().put(name_of(digest), data)
    beside = f"{take.path.rpartition('/')[0]}/{name}"
    BatchFile.objects.create(batch=take.batch, path=beside, sha256=digest, bytes=len(data))


def test_every_clip_of_the_study_is_listed_once_singles_first(rosa: Client, field: Field) -> None:
    rows = rosa.get(path(field)).json()
    assert [(row["kind"], row["stacks"], row["roles"]) for row in rows] == [
        ("single", ["QUIC"], ["main"]),
        ("single", ["QUIC"], ["main"]),
        ("single", ["TCP+"], ["main"]),
        ("pair", ["QUIC", "QUIC"], ["identical"]),
        ("pair", ["TCP+", "QUIC"], ["main"]),
    ]
    assert rows[0] == {
        "sha256": sha(200),
        "batch_sha256": sha(1),
        "kind": "single",
        "site": "garden",
        "network": "DSL",
        "stacks": ["QUIC"],
        "run": 1,
        "run_role": None,
        "purpose": "study",
        "roles": ["main"],
        "contexts": ["work"],
        "duration_ms": 1000.0,
        "width_px": 640,
        "height_px": 360,
    }


def test_a_clip_outside_the_study_is_not_found(rosa: Client, field: Field) -> None:
    other = Field(number=2)
    Clip.objects.filter(pk=other.stimuli["QUIC"].clip.pk).update(sha256=sha(999))
    assert error_code(rosa.get(path(field, sha(999)))) == (404, "not_found")


def test_each_side_of_a_pair_has_its_own_metrics_delay_and_curve(rosa: Client, field: Field) -> None:
    clip = field.stimuli["pair"].clip
    clip.delays_ms = [0, 300.0]
    clip.save()
    slow, fast = clip.takes
    Take.objects.filter(pk=slow.pk).update(path="takes/slow/take.json")
    Take.objects.filter(pk=fast.pk).update(path="takes/fast/take.json")
    metrics = {"fvc_ms": 400.0, "si_ms": 560, "vc85_ms": 800.0, "lvc_ms": 800.0}
    put_file(Take.objects.get(pk=fast.pk), "progress.json", {**metrics, "progress": CURVE})
    left, right = detail(rosa, field, "pair")["sides"]
    assert (left["stack"], left["delay_ms"], left["metrics"]["si_ms"], left["progress"]) == ("TCP+", 0, 1600.5, None)
    assert (right["stack"], right["delay_ms"], right["metrics"]["si_ms"]) == ("QUIC", 300.0, 800.0)
    assert right["progress"] == [{"ms": ms, "percent": percent} for ms, percent in CURVE]
    assert (right["metrics"]["plt_ms"], right["clip_metrics"]["si_ms"]) == (None, None)


def test_a_curve_that_breaks_its_contract_is_unknown(rosa: Client, field: Field) -> None:
    take = field.stimuli["QUIC"].clip.take
    Take.objects.filter(pk=take.pk).update(path="takes/fast/take.json")
    put_file(Take.objects.get(pk=take.pk), "progress.json", {"progress": CURVE})
    assert detail(rosa, field, "QUIC")["sides"][0]["progress"] is None


def test_votes_about_a_clip_are_shown_once_results_are(rosa: Client, field: Field) -> None:
    field.rate("QUIC", 6)
    field.rate("QUIC", 4)
    left_out = field.session()
    field.rate("QUIC", 1, by=left_out)
    field.exclude(left_out)
    field.rate("TCP+", 2)
    field.rate("QUIC", 1, by=field.session(origin="simulated"))
    tasks.votes_arrived(field.study.sha256)
    hidden = detail(rosa, field, "QUIC")
    assert (hidden["votes"], hidden["snapshot_sha256"]) == (None, None)
    unblind(rosa, field)
    found = detail(rosa, field, "QUIC")
    (votes,) = found["votes"]
    assert (votes["kind"], votes["role"], votes["n"], votes["votes"], votes["mean"]) == ("rate", "main", 2, 2, 5.0)
    assert [count["votes"] for count in votes["answers"]] == [0, 0, 0, 1, 0, 1, 0]
    results = rosa.get(f"/api/research/studies/{field.study.sha256}/results").json()
    assert found["snapshot_sha256"] == results["snapshot"]["sha256"]
    assert (rows_in(results, "points")[0]["n"], rows_in(results, "points")[0]["mos"]) == (votes["n"], votes["mean"])
    assert detail(rosa, field, "QUIC", origin="all")["votes"][0]["n"] == 3


def test_choices_about_a_pair_are_counted_by_side(rosa: Client, field: Field) -> None:
    for choice in ("right", "right", "none"):
        field.compare(choice)
    tasks.votes_arrived(field.study.sha256)
    unblind(rosa, field)
    (votes,) = detail(rosa, field, "pair")["votes"]
    assert {count["answer"]: count["votes"] for count in votes["answers"]} == {"left": 0, "none": 1, "right": 2}
    assert votes["mean"] is None


def test_before_the_first_results_there_are_no_votes_about_a_clip(rosa: Client, field: Field) -> None:
    unblind(rosa, field)
    assert detail(rosa, field, "QUIC")["votes"] is None
