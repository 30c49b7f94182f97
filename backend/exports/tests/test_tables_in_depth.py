"""Tables in depth of a closed study are files of the export."""

import json

import pytest
from django.utils import timezone

from analysis.computing.in_depth_attempts import run_if_due
from analysis.models import Result
from studies.lifecycle import change_state
from studies.models import Fielding, FieldingState, forget_designs
from testing.votes import Field

from .exported import analysed, exported, rows

pytestmark = [pytest.mark.services, pytest.mark.django_db]


def closed_with_tables_in_depth(field: Field) -> Result:
    result = analysed(field)
    change_state(field.fielding, FieldingState.CLOSED)
    assert run_if_due(result.pk, timezone.now)
    return result


@pytest.mark.django_db(transaction=True)
def test_tables_in_depth_are_files_of_their_own_with_every_column_described() -> None:
    field = Field()
    for score in (5, 6, 6):
        field.rate("QUIC", score)
    files = exported(closed_with_tables_in_depth(field))
    tables = [name for name in files if name.startswith("statistics/")]
    assert "statistics/scores.csv" in tables
    given = {row["score"]: row["count"] for row in rows(files["statistics/scores.csv"]) if row["site"] == "garden"}
    assert given == {"1": "0", "2": "0", "3": "0", "4": "0", "5": "1", "6": "2", "7": "0"}
    resources = {resource["path"]: resource["name"] for resource in json.loads(files["datapackage.json"])["resources"]}
    assert resources["statistics/scores.csv"] == "statistics-scores"
    described = rows(files["data-dictionary.csv"])
    for name in tables:
        header = files[name].decode().splitlines()[0].split(",")
        assert [row["column"] for row in described if row["file"] == name] == header
    types = {row["column"]: row["type"] for row in described if row["file"] == "statistics/scores.csv"}
    assert types == dict.fromkeys(("site", "network", "stack", "context"), "string") | dict.fromkeys(
        ("score", "count", "votes"), "integer"
    ) | {"share": "number"}
    readme = files["README.txt"].decode()
    assert "statistics/          tables that need model fits or resampling, one file each" in readme


@pytest.mark.django_db(transaction=True)
def test_without_tables_in_depth_the_readme_says_when_they_come() -> None:
    field = Field()
    field.rate("QUIC", 6)
    result = closed_with_tables_in_depth(field)
    # nobody takes a verdict home while votes may still come
    Fielding.objects.create(study=field.study, quota_sessions=1)
    files = exported(result)
    assert not [name for name in files if name.startswith("statistics/")]
    assert "available some minutes after every link of the study is closed" in files["README.txt"].decode()


@pytest.mark.django_db(transaction=True)
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
