"""A snapshot holds what the browser proved of every play, as long as the votes beside it."""

import json
from typing import Any

import pytest

from analysis.models import Snapshot
from analysis.snapshots.columns import PLAYS
from analysis.snapshots.counted import counted_plays
from analysis.snapshots.store import take_snapshot
from privacy.erasure import erase
from privacy.models import By
from ratings.models import Play
from testing.store import part_files, rows_of
from testing.votes import Field

pytestmark = [pytest.mark.services, pytest.mark.django_db]


def plays(snapshot: Snapshot) -> list[dict[str, Any]]:
    return rows_of(snapshot, PLAYS)


def test_a_play_is_stored_with_its_evidence() -> None:
    field = Field()
    vote = field.rate("TCP+", 3)
    hidden, unfocused = [{"at_ms": 100, "ms": 200}], [{"at_ms": 200.5, "ms": 200}]
    stalls = [{"at_ms": 10, "ms": 120.5}, {"at_ms": 500, "ms": 110}]
    play = field.play(vote.trial, replay=True, frames_dropped=7, hidden=hidden, unfocused=unfocused, stalls=stalls)
    (row,) = plays(take_snapshot(field.study.sha256))
    assert row == {
        "play_id": str(play.id),
        "session_id": str(vote.session_id),
        "study_sha256": field.study.sha256,
        "position": 1,
        "role": "main",
        "trial_kind": "rate",
        "clip_sha256": vote.clip_sha256,
        "group": "volunteer",
        "origin": "person",
        "replay": "yes",
        "started_at": play.started_at,
        "ended_at": play.ended_at,
        "received_at": play.received_at,
        "evidence_version": 1,
        "complete": "yes",
        "media_ms": 3550.0,
        "wall_ms": 3561.2,
        "off_speed_ms": 4.2,
        "off_speed": "no",
        "frames_presented": 213,
        "frames_dropped": 7,
        "stall_count": 2,
        "longest_stall_ms": 120.5,
        "away_ms": 300.5,
        "stalls": json.dumps(stalls),
        "hidden": json.dumps(hidden),
        "unfocused": json.dumps(unfocused),
        "pauses": "[]",
        "shown_width_px": 1280.0,
        "shown_height_px": 720.0,
        "shown_scale": 1.0,
        "shown_device_scale": 1.0,
        "window_width_px": 1440,
        "window_height_px": 900,
        "screen_width_px": 1440,
        "screen_height_px": 900,
        "device_pixel_ratio": 1.0,
        "zoom": 1.0,
        "refresh_hz": 60.0,
        "frame_callback": "yes",
    }


def test_of_an_older_page_the_evidence_is_unknown_and_not_none() -> None:
    field = Field()
    vote = field.rate("QUIC", 3)
    Play.objects.create(id=vote.id, trial=vote.trial, started_at=vote.answered_at, replay=False, frames_dropped=2)
    (row,) = plays(take_snapshot(field.study.sha256))
    known = {name for name, value in row.items() if value is not None}
    assert {"frames_dropped", "received_at", "replay"} <= known
    assert not {"evidence_version", "off_speed", "stall_count", "away_ms", "complete", "stalls"} & known


def test_who_left_no_vote_and_who_is_in_another_study_are_not_in_it() -> None:
    mine, other = Field(1), Field(2)
    play = mine.play(mine.rate("QUIC", 5).trial)
    other.play(other.rate("QUIC", 5).trial)
    erased = mine.rate("QUIC", 5)
    mine.play(erased.trial)
    silent = mine.session()
    silent.trials.create(position=1, stimulus=mine.stimuli["QUIC"], kind="rate", kind_version=1)
    mine.play(silent.trials.get())
    erase(erased.session.participant, by=By.PARTICIPANT)
    assert [row["play_id"] for row in plays(take_snapshot(mine.study.sha256))] == [str(play.id)]


def test_plays_of_who_is_left_out_do_not_count() -> None:
    field = Field()
    kept, broke = field.rate("QUIC", 5), field.rate("QUIC", 1)
    field.play(kept.trial)
    field.play(broke.trial)
    field.exclude(broke.session, "R2")
    snapshot = take_snapshot(field.study.sha256)
    assert len(plays(snapshot)) == 2
    counted = counted_plays(snapshot)
    assert counted is not None
    assert counted["session_id"] == [str(kept.session_id)]


@pytest.mark.django_db(transaction=True)
def test_the_snapshots_that_hold_an_erased_play_go() -> None:
    field = Field()
    ann, ben = field.rate("QUIC", 5), field.rate("QUIC", 1)
    field.play(ann.trial)
    field.play(ben.trial)
    before = take_snapshot(field.study.sha256)
    (file,) = part_files(before, PLAYS)
    erase(ann.session.participant, by=By.PARTICIPANT)
    assert not file.exists()
    after = take_snapshot(field.study.sha256)
    assert {row["session_id"] for row in plays(after)} == {str(ben.session_id)}
