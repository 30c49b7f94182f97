"""sessions.csv, clips.csv and sureal.json."""

import json
from typing import Any

import pytest

from exports.clips import exact_share
from exports.sureal import sureal_dataset
from eyelevel_core.contracts import sha256_of_bytes
from lib import stores
from stimuli.blobs import name_of
from stimuli.models import BatchFile, Clip
from studies.models import Stimulus
from testing.votes import Field, sha

from .exported import analysed, exported, rows

pytestmark = [pytest.mark.services, pytest.mark.django_db]


def test_sessions_have_a_column_per_question_and_say_what_each_rule_found() -> None:
    field = Field()
    ann = field.session(answers={"age": "old"})
    vote = field.rate("QUIC", 6, by=ann)
    field.rate("TCP+", 6, by=ann)
    field.play(vote.trial, off_speed=True, stalls=[{"at_ms": 1, "ms": 20}])
    field.play(vote.trial, off_speed_ms=None)
    field.exclude(field.rate("QUIC", 1).session, "R3")
    (row,) = rows(exported(analysed(field))["sessions.csv"])
    expected = {
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
    assert {name: row[name] for name in expected} == expected


def test_clips_have_metrics_and_provenance_of_every_clip_of_the_study() -> None:
    field = Field()
    field.rate("QUIC", 6)
    clips = rows(exported(analysed(field))["clips.csv"])
    assert [row["clip_sha256"] for row in clips] == [sha(200 + number) for number in range(5)]
    single, pair = clips[1], clips[2]
    expected = {"kind": "single", "stack": "TCP+", "si_ms": "1600.5", "take_sha256": sha(2), "duration_ms": "1000.0"}
    assert {name: single[name] for name in expected} == expected
    expected = {
        "kind": "pair",
        "left_stack": "TCP+",
        "right_stack": "QUIC",
        "left_si_ms": "1600.5",
        "right_si_ms": "800.0",
    }
    assert {name: pair[name] for name in expected} == expected
    assert (pair["take_sha256"], pair["right_take_sha256"], pair["si_ms"]) == (sha(2), sha(1), "")
    assert [row["roles"] for row in clips] == ["main", "main", "main", "identical", "main"]
    assert {row["exact_share"] for row in clips} == {""}


def test_clips_say_why_they_are_shown_and_in_which_contexts() -> None:
    field = Field()
    field.rate("QUIC", 6)
    clip = field.stimuli["pair"].clip
    Clip.objects.filter(pk=clip.pk).update(role="q25", run=3, delays_ms=[0, 6000], cut=True)
    stimulus = field.stimuli["pair"]
    Stimulus.objects.filter(pk=stimulus.pk).update(context="free-time")
    clips = rows(exported(analysed(field))["clips.csv"])
    expected = {"run": "3", "run_role": "q25", "contexts": "free-time", "cut": "yes", "purpose": clip.purpose}
    assert {name: clips[2][name] for name in expected} == expected
    assert (clips[2]["left_delay_ms"], clips[2]["right_delay_ms"]) == ("0.0", "6000.0")


@pytest.mark.parametrize(
    "fidelity",
    [{}, {"exact": 9, "inexact": 1, "missed": 0}, {"exact": 0, "equivalent": 0, "inexact": 0, "missed": 0}],
    ids=["none", "a count is missing", "no request"],
)
def test_an_exact_share_that_the_takes_file_does_not_give_is_unknown(fidelity: dict[str, int]) -> None:
    take = Field().stimuli["QUIC"].clip.take
    text = json.dumps({"fidelity": fidelity}).encode()
    stores.blobs().put(name_of(sha256_of_bytes(text)), text)
    BatchFile.objects.create(batch=take.batch, path=take.path, sha256=sha256_of_bytes(text), bytes=len(text))
    assert exact_share(take) is None


@pytest.mark.parametrize(("equivalent", "share"), [(0, 0.75), (3, 0.6)])
def test_the_exact_share_is_read_from_the_takes_own_file(equivalent: int, share: float) -> None:
    field = Field()
    field.rate("QUIC", 6)
    take = field.stimuli["QUIC"].clip.take
    text = json.dumps({"fidelity": {"exact": 9, "equivalent": equivalent, "inexact": 1, "missed": 2}}).encode()
    stores.blobs().put(name_of(sha256_of_bytes(text)), text)
    BatchFile.objects.create(batch=take.batch, path=take.path, sha256=sha256_of_bytes(text), bytes=len(text))
    (row, *_) = rows(exported(analysed(field))["clips.csv"])
    assert float(row["exact_share"]) == share


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


def test_several_ratings_of_a_clip_by_one_subject_are_a_list_and_sites_are_contents() -> None:
    votes: dict[str, list[Any]] = {
        "trial_kind": ["rate"] * 5 + ["compare"],
        "role": ["main"] * 4 + ["training", "main"],
        "site": ["teashop", "teashop", "garden", "teashop", "garden", "garden"],
        "clip_sha256": ["c", "c", "b", "a", "b", "b"],
        "session_id": ["ann", "ann", "ann", "ben", "ben", "ben"],
        "score": [3, 4, 7, 1, 2, None],
    }
    assert sureal_dataset(votes, name="demo") == {
        "dataset_name": "demo",
        "ref_videos": [
            {"content_id": 0, "content_name": "garden", "path": "b"},
            {"content_id": 1, "content_name": "teashop", "path": "a"},
        ],
        "dis_videos": [
            {"content_id": 0, "asset_id": 0, "path": "b", "os": {"ann": 7}},
            {"content_id": 1, "asset_id": 1, "path": "a", "os": {"ben": 1}},
            {"content_id": 1, "asset_id": 2, "path": "c", "os": {"ann": [3, 4]}},
        ],
    }
