"""R1 to R3: one planted participant per way to break a rule, and several at its edge."""

from dataclasses import replace

import pytest

from eyelevel_stats.conformance import Trial

from .people import after, control, design, finding, person, play, spell, trial

NOT_SAID_END = "trial 1: the browser did not report whether the video came to its end"
NOT_STORED = "trial 1: no play of the video was stored"
NONE_STORED = "trial 1: no play of any video was stored"
TO_THE_END = "trial 1: answered without a play to the end"


@pytest.mark.parametrize(
    ("planted", "broken", "reason"),
    [
        (trial(), "no", "all 1 videos were played"),
        (trial(plays=()), "yes", NONE_STORED),
        (trial(plays=(play(complete=False),)), "yes", TO_THE_END),
        (trial(plays=(play(complete=False), play())), "no", "all 1 videos were played"),
        (trial(plays=(play(complete=None),)), "unknown", NOT_SAID_END),
        (trial(plays=(play(complete=None), play())), "no", "all 1 videos were played"),
        # the play's end and the answer in the same moment
        (trial(answered_at=after(5), received_at=after(5.05)), "no", "all 1 videos were played"),
        # by both clocks after the answer
        (trial(answered_at=after(4.999), received_at=after(5)), "yes", "trial 1: answered without a play"),
        # the browser's clock was set back by a minute after the play, but the play arrived first
        (trial(answered_at=after(-53)), "no", "all 1 videos were played"),
        # where people may answer during the play, it ends later, and may arrive later too
        (trial(answer_from="start", answered_at=after(1), received_at=after(1)), "no", "all 1 videos were played"),
        (trial(answer_from="start", plays=(play(complete=False), play())), "no", "all 1 videos were played"),
        (trial(answer_from="start", plays=(play(complete=False),)), "yes", TO_THE_END),
        (trial(answer_from="start", plays=(play(complete=False), play(complete=None))), "unknown", NOT_SAID_END),
        (trial(answer_from="start", plays=()), "yes", NONE_STORED),
    ],
)
def test_r1_wants_every_video_played_to_its_end(planted: Trial, broken: str, reason: str) -> None:
    found = finding("R1", person(planted))
    assert (found.broken, found.reason) == (broken, reason)


@pytest.mark.parametrize("answer_from", ["start", "end"])
@pytest.mark.parametrize(
    ("media_ms", "duration_ms", "broken", "reason"),
    [
        (5000.0, 5000.0, "no", "all 1 videos were played"),
        # half a second is let pass
        (4500.0, 5000.0, "no", "all 1 videos were played"),
        (4499.9, 5000.0, "yes", TO_THE_END),
        (0.0, 5000.0, "yes", TO_THE_END),
        # of a clip that is as short as what is let pass
        (0.0, 500.0, "no", "all 1 videos were played"),
        (None, 5000.0, "unknown", NOT_SAID_END),
        (5000.0, None, "unknown", NOT_SAID_END),
    ],
)
def test_r1_takes_no_play_for_whole_that_ended_far_before_its_clip(
    media_ms: float | None, duration_ms: float | None, broken: str, reason: str, answer_from: str
) -> None:
    planted = trial(plays=(play(media_ms=media_ms),), duration_ms=duration_ms, answer_from=answer_from)
    found = finding("R1", person(planted))
    assert (found.broken, found.reason) == (broken, reason)


@pytest.mark.parametrize("answer_from", ["start", "end"])
@pytest.mark.parametrize("role", ["main", "repeat", "identical", "control"])
def test_r1_knows_nothing_of_a_play_that_was_lost_among_others(answer_from: str, role: str) -> None:
    lost = trial(1, answer_from=answer_from, plays=())
    found = finding("R1", person(lost, trial(2, role=role)))
    assert (found.broken, found.reason, found.unknown) == ("unknown", NOT_STORED, 1)
    # a play of a training trial is none of what the study asks
    found = finding("R1", person(lost, trial(2, role="training")))
    assert (found.broken, found.reason, found.trials) == ("yes", NONE_STORED, (1,))


def test_r1_finds_nothing_where_every_trial_was_skipped() -> None:
    assert finding("R1", replace(person(), trials=())).broken == "no"


@pytest.mark.parametrize(
    ("planted", "broken", "reason"),
    [
        (trial(plays=(play(stalls=(spell(500),)),)), "no", "none of 1 videos stalled for longer"),
        (trial(plays=(play(stalls=(spell(500.1),)),)), "yes", "trial 1: stalled for 500.1 ms, at most 500 ms allowed"),
        # two short ones are not one long one
        (trial(plays=(play(stalls=(spell(400), spell(400, 900))),)), "no", "none of 1 videos stalled for longer"),
        # a smooth replay does not undo it
        (
            trial(plays=(play(stalls=(spell(2500),)), play())),
            "yes",
            "trial 1: stalled for 2.5 s, at most 500 ms allowed",
        ),
        (trial(plays=(play(stalls=None),)), "unknown", "trial 1: the browser did not report whether the video stalled"),
        (
            trial(plays=(play(stalls=None), play(stalls=(spell(501),)))),
            "yes",
            "trial 1: stalled for 501 ms, at most 500 ms allowed",
        ),
        (trial(plays=()), "unknown", NOT_STORED),
    ],
)
def test_r2_allows_short_stalls(planted: Trial, broken: str, reason: str) -> None:
    found = finding("R2", person(planted))
    assert (found.broken, found.reason) == (broken, reason)


@pytest.mark.parametrize(
    ("planted", "broken", "reason"),
    [
        (trial(plays=(play(away=(spell(10_000),)),)), "no", "in none of 1 trials away for longer"),
        (trial(plays=(play(away=(spell(10_001),)),)), "yes", "trial 1: away for 10.001 s, at most 10 s allowed"),
        (trial(plays=(play(away=(spell(12_340),)),)), "yes", "trial 1: away for 12.34 s, at most 10 s allowed"),
        # hidden for 8 s, and without focus for the same 8 s and 2 more
        (trial(plays=(play(away=(spell(8000), spell(10_000))),)), "no", "in none of 1 trials away for longer"),
        # partly at the same time: 0 to 8 s and 5 to 12 s
        (
            trial(plays=(play(away=(spell(8000), spell(7000, 5000))),)),
            "yes",
            "trial 1: away for 12 s, at most 10 s allowed",
        ),
        # during the play and between plays
        (
            trial(plays=(play(away=(spell(6000),)),), away=(spell(5000),)),
            "yes",
            "trial 1: away for 11 s, at most 10 s allowed",
        ),
        (trial(away=(spell(10_000),)), "no", "in none of 1 trials away for longer"),
        (trial(away=None), "unknown", "trial 1: the browser did not report whether the page had the focus"),
        (
            trial(plays=(play(away=(spell(60_000),)),), away=None),
            "yes",
            "trial 1: away for 60 s, at most 10 s allowed",
        ),
        (trial(plays=()), "unknown", NOT_STORED),
        (trial(plays=(), away=(spell(10_001),)), "yes", "trial 1: away for 10.001 s, at most 10 s allowed"),
    ],
)
def test_r3_adds_up_the_spells_of_one_trial(planted: Trial, broken: str, reason: str) -> None:
    found = finding("R3", person(planted))
    assert (found.broken, found.reason) == (broken, reason)


def test_spells_of_two_trials_are_not_added() -> None:
    away = (spell(6000),)
    assert finding("R3", person(trial(1, away=away), trial(2, away=away))).broken == "no"


def test_one_trial_is_enough_and_unknown_ones_are_counted_beside_it() -> None:
    found = finding(
        "R2", person(trial(1, plays=(play(stalls=None),)), trial(2), trial(3, plays=(play(stalls=(spell(900),)),)))
    )
    assert (found.broken, found.trials, found.unknown) == ("yes", (3,), 1)


def test_a_reason_names_three_trials_and_counts_the_others() -> None:
    found = finding("R1", person(*(trial(number, plays=(play(complete=False),)) for number in range(1, 6))))
    assert found.trials == (1, 2, 3, 4, 5)
    assert found.reason == (
        "trial 1: answered without a play to the end; trial 2: answered without a play to the end; "
        "trial 3: answered without a play to the end; and 2 more"
    )


def test_training_is_not_judged_but_controls_are() -> None:
    assert finding("R1", person(trial(role="training", plays=(play(complete=False),)))).broken == "no"
    without_a_play = control(1, {"choice": "left", "sureness": 3}, 0, 6000)
    assert finding("R1", person(without_a_play)).broken == "no"
    for role in ("main", "repeat", "identical", "control"):
        assert finding("R1", person(trial(role=role, plays=(play(complete=False),)))).broken == "yes"


def test_thresholds_are_the_studys() -> None:
    planted = person(trial(plays=(play(stalls=(spell(900),), away=(spell(11_000),)),)))
    assert finding("R2", planted, design("R2", stall_ms=1000)).broken == "no"
    assert finding("R3", planted, design("R3", away_ms=11_000)).broken == "no"
    assert finding("R2", person(trial(plays=(play(stalls=(spell(0.1),)),))), design("R2", stall_ms=0)).broken == "yes"
