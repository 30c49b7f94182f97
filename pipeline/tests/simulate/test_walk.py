"""A simulated participant walks as the API's contract says, repeats what had no answer, and stops at a refusal."""

from datetime import UTC, datetime
from itertools import count
from uuid import UUID

import httpx
import pytest

from eyelevel.errors import BadInputError, RefusedError, UnreachableError
from eyelevel.simulate.eyes import Sight
from eyelevel.simulate.platform import Platform, browser, study_address
from eyelevel.simulate.trial import World
from eyelevel.simulate.walk import Counts, Crowd, walk
from eyelevel_core.contracts import check
from tests.simulate.fake import CLIP, TOKEN, FakePlatform, digest, error

NOW = datetime(2026, 1, 1, tzinfo=UTC)


class Glance:
    """Eyes that see 1 s on the left and 3 s on the right, in whatever they are shown."""

    def look(self, clip: bytes, *, halves: bool, start_ms: float) -> Sight:
        assert clip == CLIP
        assert start_ms == 1000.0
        return Sight(si_ms=(1000.0, 3000.0) if halves else (1000.0,), duration_ms=4000.0)


def take_part(fake: FakePlatform, *, seeds: int = 1, crowd: Crowd | None = None) -> tuple[Counts, list[float]]:
    """Send participants 1..seeds; also the pauses between repeated requests."""
    numbers, counts, pauses = count(1), Counts(), list[float]()
    world = World(eyes=Glance(), now=lambda: NOW, new_id=lambda: UUID(int=next(numbers)))
    for seed in range(1, seeds + 1):
        with browser("http://platform", fake.transport()) as client:
            platform = Platform(client, token=TOKEN, pause=pauses.append)
            assert walk(platform, "abc", seed=str(seed), world=world, counts=counts, crowd=crowd) == "CODE"
    return counts, pauses


def test_a_crowd_leaves_every_vote_with_its_receipt() -> None:
    fake = FakePlatform()
    counts, pauses = take_part(fake, seeds=60)
    assert (counts.sessions, counts.completed, fake.finished) == (60, 60, 60)
    assert counts.votes == counts.receipts == len(fake.votes) == 180 - counts.skipped
    assert counts.plays == len(fake.plays) > counts.votes
    # phones skip the comparison, and some votes are sent twice
    assert 0 < counts.skipped < 30
    assert 0 < counts.repeats < 30
    assert pauses == []


def test_where_nobody_begins_without_room_nothing_is_skipped() -> None:
    counts, _ = take_part(FakePlatform(narrow_window="refuse"), seeds=20)
    assert (counts.skipped, counts.votes) == (0, 60)


# of a clip of 640 pixels
@pytest.mark.parametrize(("least", "widest_px"), [(0.7, 390), (1.1, 1440)])
def test_comparisons_alone_are_skipped_where_they_would_be_too_small(least: float, widest_px: int) -> None:
    fake = FakePlatform(params={"min_scale": least, "min_width_px": 0})
    counts, _ = take_part(fake, seeds=40)
    assert counts.skipped == sum(session["screen"]["width_px"] <= widest_px for session in fake.sessions) > 0
    assert sum(vote["kind"] == "rate" for vote in fake.votes.values()) == 80


def test_progress_ends_at_one_per_participant_also_where_trials_are_skipped() -> None:
    shares: list[float] = []
    counts, _ = take_part(FakePlatform(), seeds=30, crowd=Crowd(advanced=shares.append))
    assert counts.skipped > 0
    assert sum(shares) == pytest.approx(30)


def test_the_same_seed_gives_the_same_answers() -> None:
    first, second = FakePlatform(), FakePlatform()
    take_part(first, seeds=5)
    take_part(second, seeds=5)
    assert first.votes == second.votes
    assert first.sessions == second.sessions


def test_votes_are_complete_and_plays_end_before_the_answer() -> None:
    fake = FakePlatform()
    take_part(fake, seeds=20)
    vote = next(vote for vote in fake.votes.values() if vote["kind"] == "compare")
    assert set(vote) == {
        "session_id", "position", "clip_digest", "kind", "kind_version", "data", "layout", "replays", "answer_ms",
        "media_ms", "away", "answered_at"
    }  # fmt: skip
    assert vote["clip_digest"] == digest(vote["position"])
    assert vote["data"]["choice"] == "left"
    assert {vote["replays"] for vote in fake.votes.values()} == {0, 1}
    for play in fake.plays.values():
        started, ended = (datetime.fromisoformat(play[key]) for key in ("started_at", "ended_at"))
        assert (ended - started).total_seconds() == 4
        assert ended <= NOW
        check(play["evidence"], "play-evidence.1", source="play")
        assert play["evidence"]["media_ms"] == 4000


def test_who_leaves_the_page_does_so_in_a_trial_that_counts() -> None:
    fake = FakePlatform(kinds=("rate",) * 4, training=3)
    take_part(fake, seeds=40, crowd=Crowd(careless=1.0))
    away = [vote["position"] for vote in fake.votes.values() if vote["away"]]
    assert set(away) == {4}
    assert len(away) > 5


def test_attentive_people_are_never_away_and_see_the_film_out() -> None:
    fake = FakePlatform(answer_from="start")
    counts, _ = take_part(fake, seeds=30)
    assert counts.careless == 0
    assert all(vote["away"] == [] and vote["media_ms"] == 4000 for vote in fake.votes.values())
    # counted from the start of the play where answers are taken from there
    assert min(vote["answer_ms"] for vote in fake.votes.values()) >= 4500


def test_careless_people_leave_and_rush() -> None:
    fake = FakePlatform(answer_from="start")
    counts, _ = take_part(fake, seeds=60, crowd=Crowd(careless=1.0))
    assert counts.careless == counts.completed == 60
    away = [vote for vote in fake.votes.values() if vote["away"]]
    # at one trial each
    assert 0 < len(away) == len({vote["session_id"] for vote in away}) < 60
    assert all(sum(span["ms"] for span in vote["away"]) > 10_000 for vote in away)
    rushed = [vote for vote in fake.votes.values() if vote["media_ms"] < 1000]
    assert 0 < len({vote["session_id"] for vote in rushed}) < 60
    ends = {(play["session_id"], play["position"]): play["ended_at"] for play in fake.plays.values()}
    assert all(ends[vote["session_id"], vote["position"]] > vote["answered_at"] for vote in rushed)


def test_where_answers_wait_for_the_end_nobody_can_rush() -> None:
    fake = FakePlatform()
    take_part(fake, seeds=60, crowd=Crowd(careless=1.0))
    assert {vote["media_ms"] for vote in fake.votes.values()} == {4000.0}


def test_control_questions_are_asked_between_the_trials_and_answered_as_they_say() -> None:
    colours = [{"key": key, "label": {"en": label, "de": label}} for key, label in (("r", "red"), ("b", "blue"))]
    label = {"en": "Please choose blue.", "de": "Bitte wählen Sie blue."}
    questions = [
        {"key": "last", "after": 3, "label": label, "choices": colours},
        {"key": "second", "after": 1, "label": label, "choices": colours},
    ]
    fake = FakePlatform(kinds=("rate", "slider", "rate"), controls=questions)
    counts, _ = take_part(fake)
    assert [step for number, step in enumerate(fake.order) if step not in fake.order[:number]] == [
        *("trial 1", "control second", "trial 2", "trial 3", "control last"),
    ]
    assert (counts.control_questions, fake.controlled) == (2, [{"second": "b", "last": "b"}])


def test_who_skims_takes_another_choice_and_who_guesses_answers_without_looking() -> None:
    colours = [{"key": key, "label": {"en": label, "de": label}} for key, label in (("r", "red"), ("b", "blue"))]
    label = {"en": "Please choose blue.", "de": "Bitte wählen Sie blue."}
    question = {"key": "attention", "after": 0, "label": label, "choices": colours}
    fake = FakePlatform(kinds=("compare",) * 4, controls=[question])
    take_part(fake, seeds=80, crowd=Crowd(careless=1.0))
    assert {answers["attention"] for answers in fake.controlled} == {"r", "b"}
    # everybody who looks sees that the left side is faster
    assert {vote["data"]["choice"] for vote in fake.votes.values()} == {"left", "right", "none"}


def test_it_says_that_it_is_a_program() -> None:
    fake = FakePlatform()
    take_part(fake)
    assert fake.agents == {"eyelevel-simulate (a program, not a person)"}
    assert [session["origin"] for session in fake.sessions] == ["simulated"]


def test_a_platform_without_ranges_serves_too() -> None:
    assert take_part(FakePlatform(ranges=False))[0].completed == 1


@pytest.mark.parametrize("answer", [error(503, "busy", "Later.", retry=True), httpx.Response(502, text="bad gateway")])
def test_what_may_be_repeated_is_repeated_under_the_same_id(answer: httpx.Response) -> None:
    lost: list[str] = []

    def disturb(request: httpx.Request) -> httpx.Response | None:
        if "/votes/" in request.url.path and len(lost) < 2:
            lost.append(request.url.path)
            return answer
        return None

    fake = FakePlatform(kinds=("rate",), disturb=disturb)
    counts, pauses = take_part(fake)
    assert lost[0] == lost[1]
    assert (counts.votes, counts.receipts, counts.repeats, len(fake.votes)) == (1, 1, 2, 1)
    assert pauses == [0.2, 0.4]


def test_a_platform_that_never_answers_is_given_up_after_five_tries() -> None:
    def disturb(request: httpx.Request) -> httpx.Response | None:
        if request.method == "PUT":
            raise httpx.ConnectError("refused")
        return None

    with pytest.raises(UnreachableError, match="PUT http://platform/api/session/person failed: refused"):
        take_part(FakePlatform(disturb=disturb))


def test_a_session_is_never_asked_for_twice() -> None:
    def disturb(request: httpx.Request) -> httpx.Response | None:
        return error(503, "busy", "Later.", retry=True) if request.method == "POST" else None

    fake = FakePlatform(disturb=disturb)
    with pytest.raises(UnreachableError, match="check the platform, and start again"):
        take_part(fake)
    assert fake.sessions == []


def test_a_platform_where_many_begin_at_once_is_asked_again_when_it_says_so() -> None:
    asked: list[str] = []

    def disturb(request: httpx.Request) -> httpx.Response | None:
        if request.method == "POST" and not asked:
            asked.append(request.url.path)
            body = {"error": {"code": "busy", "message": "Many.", "retry": True, "details": {"retry_after_s": 7}}}
            return httpx.Response(429, json=body, headers={"Retry-After": "7"})
        return None

    fake = FakePlatform(disturb=disturb)
    counts, pauses = take_part(fake)
    assert (counts.completed, len(fake.sessions), pauses[0]) == (1, 1, 7)


def test_a_paused_study_is_named() -> None:
    with pytest.raises(RefusedError, match="The study abc is paused; nobody can take part"):
        take_part(FakePlatform(state="paused"))


def test_a_refusal_carries_the_platforms_sentence() -> None:
    def disturb(request: httpx.Request) -> httpx.Response | None:
        return error(422, "wrong", "data.score is 9.") if "/votes/" in request.url.path else None

    with pytest.raises(RefusedError, match=r"was refused \(422\): data.score is 9."):
        take_part(FakePlatform(disturb=disturb))


def test_another_clip_than_announced_is_refused() -> None:
    with pytest.raises(RefusedError, match="are not the clip"):
        take_part(FakePlatform(clip=CLIP[:-1] + b"!"))


def test_an_unknown_kind_of_trial_is_refused() -> None:
    with pytest.raises(RefusedError, match="unknown kind 'rank', version 2"):
        take_part(FakePlatform(kinds=("rate", "rank")))


def test_another_receipt_for_a_repeat_is_refused() -> None:
    transport = httpx.MockTransport(lambda _: httpx.Response(200, json={"id": "b"}))
    with browser("http://platform", transport) as client, pytest.raises(RefusedError, match="returned another receipt"):
        Platform(client, token=TOKEN).put_again("/api/session/votes/a", {}, {"id": "a"})


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://localhost:8000/s/abc", ("http://localhost:8000", "abc")),
        ("https://study.example.org/abc/?x=1", ("https://study.example.org", "abc")),
    ],
)
def test_the_link_gives_origin_and_slug(url: str, expected: tuple[str, str]) -> None:
    assert study_address(url) == expected


@pytest.mark.parametrize("url", ["", "localhost/abc", "ftp://x/abc", "http://localhost", "http:///abc"])
def test_text_that_is_not_a_link_is_named(url: str) -> None:
    with pytest.raises(BadInputError, match="--study is"):
        study_address(url)
