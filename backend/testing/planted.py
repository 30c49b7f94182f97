"""Participants with planted faults, one per conformance rule and several at its edge, with the expected verdicts."""

from datetime import timedelta
from typing import Any

from testing.people import CONTROL, DURATION_MS

# a rating is at position 2, a comparison at 6
AT, PAIR_AT = 2, 6
# evidence that no browser reports, only a program that sends votes without a play
NOTHING_SEEN = {"media_ms": 0, "wall_ms": 0, "frames_presented": 0, "complete": True}
ANSWERED_AT_NOON = {"answered_at": "2026-01-01T12:00:00+00:00"}


def away(ms: float) -> dict[str, Any]:
    return {"hidden": [{"at_ms": 100, "ms": ms}]}


def shown(scale: float) -> dict[str, Any]:
    """The smallest size of the film during the play, on a display with two device pixels per CSS pixel."""
    size = {"width_px": 1280 * scale, "height_px": 720 * scale}
    return {"shown": size | {"scale": scale, "device_scale": 2 * scale}}


def early(media_ms: float | None) -> dict[int, Any]:
    """A vote at this point of the play, which continued to its end."""
    return {AT: ANSWERED_AT_NOON | {"media_ms": media_ms}}


# name: (what is planted, accepted, left out by)
PLANTED: dict[str, tuple[dict[str, Any], bool, list[str]]] = {
    "does everything right": ({}, True, []),
    "R1: a play that was never stored": ({"plays": {PAIR_AT: None}}, True, []),
    "R1: broken off": ({"plays": {PAIR_AT: {"complete": False}}}, False, ["R1"]),
    "R1: broken off, answered from the start": ({"plays": {AT: {"complete": False}}}, False, ["R1"]),
    "R1: to its end at once": ({"plays": {PAIR_AT: NOTHING_SEEN}}, False, ["R1"]),
    "R1: to its end at once, answered from the start": ({"plays": {AT: NOTHING_SEEN}}, False, ["R1"]),
    "R1: one play that is said to be whole, and no other": (
        {"plays": dict.fromkeys(range(1, PAIR_AT)) | {PAIR_AT: NOTHING_SEEN}},
        False,
        ["R1"],
    ),
    "R1: half a second before its end": ({"plays": {PAIR_AT: {"media_ms": DURATION_MS - 500}}}, True, []),
    "R1: answered in the play, which went on to its end": ({"votes": {AT: ANSWERED_AT_NOON}}, True, []),
    "R1: no play but one": ({"plays": dict.fromkeys(range(1, PAIR_AT))}, True, []),
    "R1: votes without any play": ({"plays": dict.fromkeys(range(1, PAIR_AT + 1))}, False, ["R1"]),
    "R2: a stall": ({"plays": {AT: {"stalls": [{"at_ms": 10, "ms": 500.1}]}}}, True, ["R2"]),
    "R2: at the edge": ({"plays": {AT: {"stalls": [{"at_ms": 10, "ms": 500}]}}}, True, []),
    "R3: hidden": ({"plays": {AT: away(10_001)}}, True, ["R3"]),
    "R3: at the edge": ({"plays": {AT: away(10_000)}}, True, []),
    "R3: during the play and after": (
        {"plays": {AT: away(6000)}, "votes": {AT: {"away": [{"at_ms": 7000, "ms": 4001}]}}},
        True,
        ["R3"],
    ),
    "R3: in most trials, each video in a hidden page": (
        {"plays": {at: away(4000) for at in range(1, 5)}},
        True,
        ["R3"],
    ),
    "R3: in two trials": ({"plays": {AT: away(6000), PAIR_AT: away(6000)}}, True, []),
    "R5: too long": ({"took": timedelta(minutes=91)}, True, ["R5"]),
    "R5: near the edge": ({"took": timedelta(minutes=89)}, True, []),
    "R6: the side held back": ({"votes": {CONTROL: {"data": {"choice": "right", "sureness": 5}}}}, False, ["R6"]),
    "R6: no difference": ({"votes": {CONTROL: {"data": {"choice": "none", "sureness": 1}}}}, False, ["R6"]),
    "R6: the same in no control": ({"votes": {PAIR_AT: {"data": {"choice": "right", "sureness": 5}}}}, True, []),
    "R7: wrong choice": ({"choice": "animals"}, False, ["R7"]),
    "R8: shown too small": ({"plays": {PAIR_AT: shown(0.4)}}, True, ["R8"]),
    "R8: too small in a rating": ({"plays": {AT: shown(0.022)}}, True, ["R8"]),
    "R8: smaller by less than one percent": ({"plays": {PAIR_AT: shown(0.476)}}, True, []),
    "R9: all within ten seconds": ({"took": timedelta(seconds=10)}, False, ["R9"]),
    "R9: near the edge": ({"took": timedelta(seconds=6 * 0.95 * DURATION_MS / 1000)}, True, []),
    "R9: a vote before its clip can have been watched": ({"watched": {PAIR_AT: timedelta(seconds=1)}}, False, ["R9"]),
    "R9: as early as can be": ({"watched": {PAIR_AT: timedelta(seconds=0.95 * DURATION_MS / 1000)}}, True, []),
    "R9: offline, and everything sent at once": (
        {"watched": {at: timedelta(seconds=60 - 9 * at) for at in range(1, 7)}, "took": timedelta(seconds=62)},
        True,
        [],
    ),
    "R9: clips that were never sent": ({"watched": dict.fromkeys(range(1, 7))}, False, ["R9"]),
    "two rules": ({"choice": "animals", "plays": {PAIR_AT: {"complete": False}}}, False, ["R1", "R7"]),
    "an older browser": (
        {
            "plays": {key: {"evidence": None} for key in range(1, 7)},
            "votes": {key: {"media_ms": None} for key in range(1, 7)},
        },
        True,
        [],
    ),
}
