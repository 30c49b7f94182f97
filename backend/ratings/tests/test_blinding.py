"""Nothing that reaches a participant's browser tells stack, network, metric or side."""

import hashlib
import hmac
import json
import re
from pathlib import Path
from typing import Any

import pytest
from batches import NETWORKS, SITES, STACKS, folder

from ratings.models import Trial
from studies.models import Fielding
from testing import clips, studies
from testing.web import participant, play_body, post, put, stranger, vote_body

pytestmark = [pytest.mark.django_db, pytest.mark.services]

NAMES = "|".join(map(re.escape, (*STACKS, *NETWORKS, *SITES)))
# names as whole words: "lte" is inside many a German word; how long clips stand still at first is the same for all
TELLING = re.compile(rf"\b({NAMES})(?!\w)|fvc|vc85|lvc|plt|\bsi\b|(?<!start)_ms|stack|network", re.IGNORECASE)


@pytest.fixture
def traffic(db: None) -> list[str]:
    """Every answer, with its headers, of one whole session."""
    studies.visible_batch()
    slug = Fielding.objects.get(study=studies.study()).slug
    seen = [stranger().get(f"/api/participate/{slug}")]
    client, session = participant(slug)
    seen.append(client.get("/api/session"))
    seen.append(put(client, "/api/session/person", {"answers": {"age": "old"}}))
    for number, trial in enumerate(session["trials"]):
        seen.append(put(client, f"/api/session/plays/00000000-0000-4000-8000-00000000000{number}", play_body(trial)))
        seen.append(put(client, f"/api/session/votes/00000000-0000-4000-8000-00000000000{number}", vote_body(trial)))
        seen.append(put(client, f"/api/session/votes/00000000-0000-4000-9000-00000000000{number}", vote_body(trial)))
    ended = post(client, "/api/session/finish", {"skipped": []})
    seen.append(ended)
    assert [response.status_code for response in seen].count(409) == 6
    # a name made by lot may have any three letters in it
    drawn = [slug, ended.json()["completion_code"], *Trial.objects.values_list("clip_token", flat=True)]
    random = re.compile(
        "|".join(re.escape(name) for name in [*drawn, *(cookie.value for cookie in client.cookies.values())])
    )
    return [random.sub("...", f"{dict(response.headers)}\n{response.content.decode()}") for response in seen]


def test_a_whole_session_tells_nothing(traffic: list[str]) -> None:
    telling = [match.group() for answer in traffic for match in TELLING.finditer(answer)]
    assert telling == []
    assert len(traffic) == 22


@pytest.mark.parametrize("leak", ["QUIC", "lte", '"si_ms": 3', "Alpha", "stacks"])
def test_the_search_finds_a_leak(traffic: list[str], leak: Any) -> None:
    assert TELLING.search(traffic[1] + leak) is not None


def test_what_a_trial_is_there_for_cannot_be_seen_but_for_training(db: None) -> None:
    batch = studies.visible_batch()
    clips.identical_pairs(batch)
    clips.control_clips(batch)
    trials = [
        {"kind": "rate", "count": 3, "training": 1, "repeats": 1},
        {"kind": "compare", "count": 2, "identical": 0.5, "repeats": 1},
    ]
    study = studies.study(trials=trials, controls={"videos": {"count": 1}})
    _, session = participant(study.fieldings.get().slug)
    roles = dict(Trial.objects.values_list("position", "role"))
    assert set(roles.values()) == {"training", "main", "repeat", "identical", "control"}
    looks: dict[str, set[str]] = {"rate": set(), "compare": set()}
    for trial in session["trials"]:
        assert trial["training"] == (roles[trial["position"]] == "training")
        assert set(trial["clip"]) == set(session["trials"][0]["clip"])
        same = {key: value for key, value in trial.items() if key not in {"position", "clip", "training"}}
        looks[trial["kind"]].add(json.dumps(same, sort_keys=True))
    assert [len(different) for different in looks.values()] == [1, 1]
    assert len({trial["clip"]["url"] for trial in session["trials"]}) == len(session["trials"]) == 9


def test_two_who_talk_cannot_pair_their_clips_by_what_the_platform_sends(
    db: None, settings: Any, tmp_path: Path
) -> None:
    """But by size and length, or by the bytes themselves: docs/explanation/playback.md says so."""
    settings.BLOB_STORE = str(tmp_path)
    batch_folder = folder()
    studies.visible_batch(batch_folder)
    for digest, data in batch_folder.blobs.items():
        (tmp_path / digest[:2]).mkdir(exist_ok=True)
        (tmp_path / digest[:2] / digest).write_bytes(data)
    slug = studies.study().fieldings.get().slug
    seen: list[set[str]] = []
    for _ in range(4):
        client, session = participant(slug)
        clips = [trial["clip"] for trial in session["trials"]]
        etags = [client.head(clip["url"]).headers["ETag"].strip('"') for clip in clips]
        assert etags == [clip["digest"] for clip in clips]
        seen.append(set(etags))
    of_clips = set(Trial.objects.values_list("stimulus__clip__sha256", flat=True))
    # several saw the same clips
    everything = set().union(*seen)
    assert Trial.objects.count() == len(everything) > len(of_clips)
    assert everything & of_clips == set()
    # and a browser that has the bytes can check them
    trial = Trial.objects.select_related("stimulus__clip").first()
    assert trial is not None
    key, sha256 = str(trial.clip_token).encode(), trial.stimulus.clip.sha256
    assert hmac.new(key, bytes.fromhex(sha256), hashlib.sha256).hexdigest() in everything
