"""R9: the server's clock, of the session and of each vote after a whole play."""

from datetime import timedelta

import pytest

from eyelevel_stats.conformance import Trial

from .people import NOON, after, finding, person, play, trial

NOT_SENT = "not every video has a time at which it was sent"


def test_r9_wants_a_session_as_long_as_its_videos() -> None:
    two = (trial(1), trial(2, role="training", clip_sent_at=after(-1)))
    # both last 5 s, the votes arrive at 7.2 s
    assert finding("R9", person(*two, completed_at=after(9.5))).broken == "no"
    found = finding("R9", person(*two, completed_at=after(9.49)))
    assert (found.broken, found.reason, found.trials) == ("yes", "took 9.49 s, but the videos take at least 9.5 s", ())


@pytest.mark.parametrize(
    ("planted", "broken"),
    [
        # the vote arrives at 7.2 s, and the video takes at least 4.75 s
        (trial(clip_sent_at=after(2.45)), "no"),
        (trial(clip_sent_at=after(2.46)), "yes"),
        # nobody can have played a video that was never sent
        (trial(clip_sent_at=None), "yes"),
        (trial(clip_sent_at=None, plays=()), "unknown"),
        (trial(clip_sent_at=after(2.46), duration_ms=None), "unknown"),
        # a play that was broken off takes less
        (trial(clip_sent_at=after(2.46), plays=(play(complete=False),)), "no"),
        (trial(clip_sent_at=after(2.46), plays=()), "no"),
        # with answers from the start on, a vote may be sent while the video plays
        (trial(clip_sent_at=after(2.46), answer_from="start", plays=(play(received_at=after(8)),)), "no"),
        (trial(clip_sent_at=after(2.46), answer_from="start"), "yes"),
        # the order of arrival decides nothing where people answer at the end
        (trial(clip_sent_at=after(2.46), plays=(play(received_at=after(8)),)), "yes"),
    ],
)
def test_r9_wants_every_vote_after_its_video_can_have_been_watched(planted: Trial, broken: str) -> None:
    found = finding("R9", person(planted))
    assert (found.broken, found.trials) == (broken, (1,) if broken == "yes" else ())


def test_what_came_too_early_is_named_of_several_the_first_three() -> None:
    found = finding("R9", person(*(trial(number, clip_sent_at=after(5)) for number in range(1, 6))))
    assert found.trials == (1, 2, 3, 4, 5)
    assert found.reason == (
        "trial 1: answered 2.2 s after its video was sent, which takes at least 4.75 s; "
        "trial 2: answered 2.2 s after its video was sent, which takes at least 4.75 s; "
        "trial 3: answered 2.2 s after its video was sent, which takes at least 4.75 s; and 2 more"
    )


def test_a_play_of_a_video_that_was_never_sent_is_named() -> None:
    found = finding("R9", person(trial(clip_sent_at=None)))
    assert found.reason == "trial 1: reports a play of its video, which was never sent"


def test_who_was_offline_and_sends_everything_at_once_keeps_it() -> None:
    trials = [
        trial(number, clip_sent_at=after(10 * number), answered_at=after(10 * number + 7), received_at=after(600))
        for number in range(1, 11)
    ]
    assert finding("R9", person(*trials, completed_at=after(600.5))).broken == "no"


def test_a_simulated_session_never_breaks_it() -> None:
    hurried = person(trial(), completed_at=NOON + timedelta(seconds=1))
    assert finding("R9", hurried).broken == "yes"
    found = finding("R9", person(trial(), completed_at=NOON + timedelta(seconds=1), simulated=True))
    assert (found.broken, found.reason) == ("unknown", "a simulated session that was not made in real time")
    assert finding("R9", person(trial(), simulated=True)).broken == "no"


def test_a_session_that_goes_on_and_one_whose_videos_were_not_timed_are_unknown() -> None:
    assert finding("R9", person(completed_at=None)).broken == "unknown"
    found = finding("R9", person(trial(1, clip_sent_at=None, plays=()), trial(2)))
    assert (found.broken, found.reason, found.unknown) == ("unknown", NOT_SENT, 1)
