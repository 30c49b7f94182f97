"""Playback evidence as the browser of a participant would send it."""

from datetime import datetime, timedelta
from random import Random

from eyelevel.simulate import model
from eyelevel.simulate.session import Clip, Trial


def play_body(
    trial: Trial, duration_ms: float, who: model.Person, *, ended_at: datetime, replay: bool
) -> dict[str, object]:
    """Returns a complete play at real speed (contract play-evidence); values that a program does not have are null."""
    clip, (width_px, height_px) = trial.clip, who.screen_px
    scale = scale_of(clip, who)
    evidence: dict[str, object] = {
        "version": 1,
        "media_ms": duration_ms,
        "wall_ms": duration_ms,
        "off_speed_ms": None,
        "off_speed": False,
        "frames_presented": None,
        "frames_dropped": None,
        "stalls": [],
        "hidden": [],
        "unfocused": [],
        "pauses": [],
        "window": {"width_px": width_px, "height_px": height_px},
        "screen": {"width_px": width_px, "height_px": height_px},
        "device_pixel_ratio": who.device_pixel_ratio,
        "zoom": None,
        "shown": {
            "width_px": clip.width_px * scale,
            "height_px": clip.height_px * scale,
            "scale": scale,
            "device_scale": scale * who.device_pixel_ratio,
        },
        "refresh_hz": None,
        "frame_callback": False,
        "complete": True,
    }
    return {
        "position": trial.position,
        "started_at": (ended_at - timedelta(milliseconds=duration_ms)).isoformat(),
        "ended_at": ended_at.isoformat(),
        "replay": replay,
        "evidence": evidence,
    }


def scale_of(clip: Clip, who: model.Person) -> float:
    """Returns CSS pixels per captured pixel: the whole clip as large as the screen allows, but not enlarged."""
    width_px, height_px = who.screen_px
    return float(min(width_px / clip.width_px, height_px / clip.height_px, 1))


def has_room(trial: Trial, who: model.Person) -> bool:
    """Returns whether the screen shows the clip at its minimum size or larger, as hasRoom of the pages' scale.ts."""
    room = trial.params
    least = max(room.min_scale, room.min_device_scale / who.device_pixel_ratio)
    return who.screen_px[0] >= room.min_width_px and scale_of(trial.clip, who) >= least


def away_spans(leaves: bool, draw: Random) -> list[dict[str, float]]:
    """Returns the times at which the page was hidden between the plays of a trial, in ms since it was shown."""
    return [{"at_ms": 500.0, "ms": model.away_ms(draw)}] if leaves else []
