"""What the API answers about tables in depth."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client

from analysis.computing import in_depth
from analysis.computing.in_depth_attempts import run_if_due
from analysis.models import InDepthResult, InDepthState, Result
from studies.models import Fielding

from .in_depth_cases import H1, H2, NOW, Clock, analysed, ask_api, close, closed, planned

pytestmark = [pytest.mark.services, pytest.mark.django_db, pytest.mark.usefixtures("wanted")]


def named(tables: list[Any], name: str) -> list[dict[str, Any]]:
    (table,) = [table for table in tables if table["name"] == name]
    return [dict(zip([column["name"] for column in table["columns"]], row, strict=True)) for row in table["rows"]]


def test_tables_with_the_columns_of_another_version_are_computed_again(as_rosa: Client, wanted: list[int]) -> None:
    field, result = closed(H1)
    assert run_if_due(result.pk, Clock())
    before = ask_api(as_rosa, field)
    # as a version stored them whose tables had one column less
    row = InDepthResult.objects.get()
    tables = {name: [values[:-1] for values in rows] for name, rows in row.tables.items()}
    InDepthResult.objects.update(tables=tables, fields_sha256="", attempts=3)
    figures = as_rosa.get(f"/api/research/studies/{field.study.sha256}/results/figures")
    assert (figures.status_code, [figure["name"] for figure in figures.json() if figure["name"] == "multiverse"]) == (
        200,
        [],
    )
    wanted.clear()
    in_depth.resume(NOW)
    assert wanted == [result.pk]
    assert ask_api(as_rosa, field)["status"] == "queued"
    assert run_if_due(result.pk, Clock())
    assert ask_api(as_rosa, field) == before


def test_the_api_has_nothing_while_the_study_is_in_the_field_even_for_those_who_asked_to_see(as_rosa: Client) -> None:
    field = planned(H1)
    analysed(field)
    assert as_rosa.post(f"/api/research/studies/{field.study.sha256}/unblind").status_code == 204
    assert ask_api(as_rosa, field) == {
        "status": "none",
        "part": "",
        "parts_done": 0,
        "parts": 0,
        "error": "",
        "hypotheses": [],
        "tables": [],
    }
    assert InDepthResult.objects.count() == 0


def test_tables_that_are_done_are_hidden_once_the_study_is_opened_again(as_rosa: Client) -> None:
    field, result = closed(H1)
    run_if_due(result.pk, Clock())
    assert ask_api(as_rosa, field)["tables"] != []
    Fielding.objects.create(study=field.study, quota_sessions=2)
    body = ask_api(as_rosa, field)
    assert (body["status"], body["tables"]) == ("none", [])


def test_a_closed_study_without_tables_gets_them_when_somebody_asks(as_rosa: Client, wanted: list[int]) -> None:
    field, result = closed(H1)
    InDepthResult.objects.all().delete()
    wanted.clear()
    assert ask_api(as_rosa, field)["status"] == "queued"
    assert wanted == [result.pk]
    claim = in_depth.claim(result.pk, datetime.now(UTC))
    assert claim is not None
    in_depth.progress(claim, part="groups", parts_done=2, parts=8, now=datetime.now(UTC))
    body = ask_api(as_rosa, field)
    assert {name: body[name] for name in ("status", "part", "parts_done", "parts")} == {
        "status": "running",
        "part": "groups",
        "parts_done": 2,
        "parts": 8,
    }
    assert wanted == [result.pk]


def test_done_tables_come_with_titles_and_the_meaning_of_each_column(as_rosa: Client) -> None:
    field, result = closed(H1, H2)
    assert run_if_due(result.pk, Clock())
    body = ask_api(as_rosa, field)
    assert body["status"] == "done"
    scores = named(body["tables"], "scores")
    # three people gave 3 to TCP+, one gave 4
    pooled = {row["score"]: row["count"] for row in scores if row["stack"] == "TCP+" and row["site"] == "garden"}
    assert pooled == {1: 0, 2: 0, 3: 3, 4: 1, 5: 0, 6: 0, 7: 0}
    for table in body["tables"]:
        assert table["title"]
        assert all(column["meaning"] for column in table["columns"])
        assert {len(row) for row in table["rows"]} == {len(table["columns"])}
    (answer,) = body["hypotheses"]
    assert (answer["hypothesis"], answer["kind"], answer["outcome"]) == ("H2", "metrics", "undecided")


def test_every_hypothesis_has_a_row_in_the_plans_order_and_those_about_metrics_wait_for_the_tables(
    as_rosa: Client,
) -> None:
    field, result = closed(H2, H1, {"key": "H4", "says": "People are satisfied."})
    path = f"/api/research/studies/{field.study.sha256}/results"

    def answered() -> list[tuple[str, str | None, str]]:
        rows = as_rosa.get(path).json()["hypotheses"]
        return [(row["hypothesis"], row["kind"], row["outcome"]) for row in rows]

    assert answered() == [("H2", "metrics", "pending"), ("H1", "rate", "supported"), ("H4", None, "unanswerable")]
    assert run_if_due(result.pk, Clock())
    assert [outcome for *_, outcome in answered()] == ["undecided", "supported", "unanswerable"]
    rows = as_rosa.get(path).json()["hypotheses"]
    metrics, *others = [row["agreement"] for row in rows]
    assert (metrics["metric"], metrics["best"], metrics["compared"]) == ("SI", [], False)
    assert others == [None, None]
    few = {"code": "few_clips", "values": {"clips": 2, "least": 10}}
    assert [row["reason"] for row in rows] == [few, None, None]
    assert rows[0]["sentence"].endswith("too few clips: 2 of at least 10.")


def test_a_hypothesis_whose_tables_failed_says_why_it_has_no_answer(as_rosa: Client) -> None:
    field, result = closed(H2)
    InDepthResult.objects.filter(result=result).update(state=InDepthState.FAILED, error="The disk is full.")
    (row,) = as_rosa.get(f"/api/research/studies/{field.study.sha256}/results").json()["hypotheses"]
    assert row["outcome"] == "failed"
    assert row["sentence"] == "H2 has no answer: the tables in depth could not be computed: The disk is full."


def test_each_origin_has_tables_of_its_own(as_rosa: Client) -> None:
    field = planned(H1)
    field.rate("QUIC", 6, by=field.session(origin="simulated"))
    analysed(field)
    close(field)
    for result in Result.objects.all():
        assert run_if_due(result.pk, Clock())

    def participants(origin: str) -> int:
        return len(named(ask_api(as_rosa, field, origin=origin)["tables"], "subjects"))

    assert participants("all") == participants("person") + 1
