"""What a participant's browser is told before consent: terms, numbers, and the room that videos need."""

import pytest

from ratings.room import rooms
from studies.models import Fielding
from testing import clips, studies
from testing.web import error_code, participant, stranger

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture
def fielding(db: None) -> Fielding:
    studies.visible_batch()
    return studies.study().fieldings.get()


def test_an_invitation_describes_the_session(fielding: Fielding) -> None:
    invitation = stranger().get(f"/api/participate/{fielding.slug}").json()
    assert invitation["state"] == "open"
    assert invitation["title"] == {"en": "How fast is it?", "de": "Wie schnell ist es?"}
    # 90 s, six answers of 8 s, six clips of half a second
    assert (invitation["trial_count"], invitation["seconds"]) == (6, 141)
    assert invitation["questions"][0]["required"] is False


def test_an_invitation_lists_the_terms_that_the_study_states(fielding: Fielding) -> None:
    terms = ("ethics", "retention", "pay")
    invitation = stranger().get(f"/api/participate/{fielding.slug}").json()
    assert [invitation[term] for term in terms] == [None, None, None]
    study = studies.study(
        ethics={"board": "Board"},
        retention={"months": 12, "text": {"en": "A year.", "de": "Ein Jahr."}},
        pay={"amount": 2.5, "currency": "EUR", "fair_hourly": 12},
    )
    invitation = stranger().get(f"/api/participate/{study.fieldings.get().slug}").json()
    assert [invitation[term] for term in terms] == [
        {"board": "Board", "number": None},
        {"months": 12, "text": {"en": "A year.", "de": "Ein Jahr."}},
        # what the researcher thinks fair is not told
        {"amount": 2.5, "currency": "EUR"},
    ]


def test_an_invitation_counts_training_repeats_and_controls(fielding: Fielding) -> None:
    trials = [{"kind": "rate", "count": 4, "training": 2, "repeats": 1}, {"kind": "compare", "count": 2}]
    study = studies.study(trials=trials)
    invitation = stranger().get(f"/api/participate/{study.fieldings.get().slug}").json()
    # 90 s, nine answers of 8 s, nine clips of half a second
    assert (invitation["trial_count"], invitation["seconds"]) == (9, 166.5)


def test_a_slug_that_is_not_there_is_404(fielding: Fielding) -> None:
    assert error_code(stranger().get("/api/participate/nothing")) == (404, "not_found")


def test_an_invitation_has_the_room_of_each_block_and_what_is_skipped_without_it(fielding: Fielding) -> None:
    trials = [
        {"kind": "rate", "count": 4, "training": 1, "min_scale": 0.4},
        {"kind": "compare", "count": 2, "min_width_px": 800, "min_device_scale": 0.9},
    ]
    study = studies.study(trials=trials)
    invitation = stranger().get(f"/api/participate/{study.fieldings.get().slug}").json()
    _, session = participant(study.fieldings.get().slug)

    def largest(kind: str) -> dict[str, int]:
        clips = [trial["clip"] for trial in session["trials"] if trial["kind"] == kind]
        return {name: max(clip[name] for clip in clips) for name in ("width_px", "height_px")}

    rate = {"min_width_px": 0, "min_scale": 0.4, "min_device_scale": 0.48, "skippable": False, "trials": 5}
    compare = {"min_width_px": 800, "min_scale": 0.48, "min_device_scale": 0.9, "skippable": True, "trials": 2}
    assert invitation["room"] == [
        {"kind": "rate", "clip": largest("rate"), "controls": 0, "trial_s": 8.5} | rate,
        {"kind": "compare", "clip": largest("compare"), "controls": 0, "trial_s": 8.5} | compare,
    ]
    assert session["study"]["room"] == invitation["room"]


def test_an_invitation_has_the_blocks_that_may_show_control_videos(db: None) -> None:
    clips.control_clips(studies.visible_batch())
    trials = [
        {"kind": "rate", "count": 1, "stacks": ["QUIC"]},
        {"kind": "slider", "count": 1, "stacks": ["TCP+"]},
        {"kind": "compare", "count": 2},
    ]
    study = studies.study(trials=trials, controls={"videos": {"count": 1}})
    found = [(room.kind, room.trials, room.controls) for room in rooms(study)]
    assert found == [("rate", 1, 1), ("slider", 1, 1), ("compare", 2, 0)]
