"""An export explains itself: dictionary, README, manifest and data package; the same snapshot, the same bytes."""

import csv
import io
import json
import re
from datetime import datetime
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from django.utils import timezone

from analysis.computing.in_depth_attempts import run_if_due
from analysis.snapshots.columns import FILES
from exports.archive import write_archive
from eyelevel_core.contracts import sha256_of_bytes
from eyelevel_core.contracts.columns import export_columns, play_columns
from eyelevel_stats.tables import TABLES
from studies.lifecycle import change_state
from studies.models import FieldingState, Study
from testing.votes import BEGIN, Field

from .exported import OTHERS, analysed, counted_field, exported, rows

pytestmark = [pytest.mark.services, pytest.mark.django_db]
API = Path(__file__).parents[3] / "docs/contracts/api.md"


def header(data: bytes) -> list[str]:
    return next(csv.reader(io.StringIO(data.decode(), newline="")))


def test_the_dictionary_explains_every_column_of_every_file() -> None:
    field = Field()
    field.play(field.rate("QUIC", 6).trial)
    files = exported(analysed(field))
    described = {(row["file"], row["column"]): row for row in rows(files["data-dictionary.csv"])}
    expected = {("votes.csv", column.name) for column in export_columns()}
    expected |= {("plays.csv", column.name) for column in play_columns()}
    expected |= {(table.file, column.name) for table in TABLES.values() for column in table.columns}
    expected |= {(name, column) for name in FILES for column in pq.read_table(io.BytesIO(files[name])).column_names}
    expected |= {
        (f"{name.partition('/')[0]}/DAY.parquet", column)
        for name in files
        if name.startswith(("votes/", "plays/"))
        for column in pq.read_table(io.BytesIO(files[name])).column_names
    }
    expected |= {(name, column) for name in (*OTHERS, "data-dictionary.csv") for column in header(files[name])}
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
    assert listed["files"][f"votes/{BEGIN:%Y-%m-%d}.parquet"]["rows"] == 5
    package = {resource["path"]: resource for resource in json.loads(files["datapackage.json"])["resources"]}
    assert set(package) == set(files) - {"manifest.json", "datapackage.json"}
    assert package["votes.csv"]["hash"] == f"sha256:{listed['files']['votes.csv']['sha256']}"
    for name in files:
        if name.endswith(".csv"):
            assert [column["name"] for column in package[name]["schema"]["fields"]] == header(files[name])


@pytest.mark.django_db(transaction=True)
def test_the_reference_of_the_api_lists_every_file_of_an_export() -> None:
    field = Field()
    field.play(field.rate("QUIC", 6).trial)
    result = analysed(field)
    change_state(field.fielding, FieldingState.CLOSED)
    assert run_if_due(result.pk, timezone.now)
    (row,) = [
        line for line in API.read_text().split("\n") if line.startswith("| `GET ") and "export-jobs/{id}/file`" in line
    ]
    listed = set(re.findall(r"`([\w/-]+\.(?:csv|json|txt|svg|parquet))`", row))
    folders = {
        "statistics": "statistics/NAME.csv",
        "figures": "figures/NAME.svg",
        "votes": "votes/DAY.parquet",
        "plays": "plays/DAY.parquet",
    }
    files = {folders.get(name.partition("/")[0], name) for name in exported(result)}
    assert listed == files


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


def test_the_data_package_describes_each_file_and_field_as_frictionless_asks() -> None:
    field = counted_field()
    Study.objects.filter(pk=field.study.pk).update(name="Our Study (2)")
    result = analysed(field)
    package = json.loads(exported(result)["datapackage.json"])
    head = (package["profile"], package["name"], package["id"], package["title"])
    assert head == ("data-package", "eyelevel-our-study--2-", result.snapshot_id, "Eyelevel export: Our Study (2)")
    assert datetime.fromisoformat(package["created"]) == result.snapshot.created_at
    by_path = {resource["path"]: resource for resource in package["resources"]}
    names = [resource["name"] for resource in package["resources"]]
    assert len(set(names)) == len(names)
    part = by_path[f"votes/{BEGIN:%Y-%m-%d}.parquet"]
    assert (part["name"], part["mediatype"]) == (
        f"votes-{BEGIN:%Y-%m-%d}-parquet",
        "application/vnd.apache.parquet",
    )
    assert "schema" not in by_path["README.txt"]
    votes = by_path["votes.csv"]
    assert (votes["profile"], votes["encoding"], votes["schema"]["missingValues"]) == (
        "tabular-data-resource",
        "utf-8",
        [""],
    )
    fields = {column["name"]: column for column in votes["schema"]["fields"]}
    assert (fields["vote_id"]["type"], fields["vote_id"]["format"]) == ("string", "uuid")
    assert fields["clip_sha256"]["constraints"] == {"pattern": "[0-9a-f]{64}"}
    assert (fields["si_ms"]["type"], fields["si_ms"]["unit"]) == ("number", "ms")
    assert (fields["score"]["type"], "unit" in fields["score"]) == ("integer", False)
    assert all(column["description"] for column in votes["schema"]["fields"])
