"""votes.csv and plays.csv keep to their contract, and hold what was stored of the sessions that count."""

import io

import pyarrow.parquet as pq
import pytest

from eyelevel_core.contracts.columns import export_columns, play_columns
from testing.votes import Field

from .exported import analysed, exported, parquet_rows, rows

pytestmark = [pytest.mark.services, pytest.mark.django_db]


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
    assert len(parquet_rows(files, "votes")) == 2
    assert pq.read_table(io.BytesIO(files["exclusions.parquet"])).to_pylist() == [
        {"session_id": str(bad.session_id), "rule": "R5"}
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
    every = parquet_rows(files, "plays")
    assert {row["play_id"] for row in every} == {str(play.id), str(left_out.id)}
