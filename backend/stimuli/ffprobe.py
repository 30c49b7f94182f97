"""Probes a video with ffprobe and compares it with the manifest."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from eyelevel_core.model.batch import Clip

PROBE_S = 60
# a crafted file must not take the machine's memory or processor: a probe of a real clip needs a tenth of each
MEMORY_BYTES = 1024**3
PROCESSOR_S = 20
LIMITS = (f"--as={MEMORY_BYTES}", f"--cpu={PROCESSOR_S}", "--fsize=0", "--core=0")
# tags that encoders write by themselves; any other could tell a participant what they see
HARMLESS_TAGS = {
    "major_brand",
    "minor_version",
    "compatible_brands",
    "encoder",
    "language",
    "handler_name",
    "vendor_id",
    "creation_time",
}


class ProbeMissingError(Exception):
    """ffprobe, or the program that limits it, is not installed."""


def probe(path: Path) -> dict[str, Any]:
    """`{error}` where ffprobe cannot read the file as MP4, else its `format` and `streams`."""
    command = [
        *_limited("ffprobe"),
        "-v",
        "error",
        "-threads",
        "1",
        "-print_format",
        "json",
        "-show_format",
        "-show_streams",
    ]
    # mp4 and nothing else: ffprobe would take a text file for subtitles or a playlist
    command += ["-f", "mp4", "-protocol_whitelist", "file", f"file:{path}"]
    try:
        done = subprocess.run(command, capture_output=True, timeout=PROBE_S, check=False)
        found = json.loads(done.stdout or b"{}")
    except (subprocess.TimeoutExpired, ValueError):
        return {"error": "ffprobe did not come to an end with it"}
    if done.returncode != 0 or "format" not in found:
        return {"error": "ffprobe finds no MP4 video in it"}
    return {"format": _plain(found["format"]), "streams": [_plain(stream) for stream in found.get("streams", [])]}


def check_installed() -> None:
    """Raise ProbeMissingError where `probe` would."""
    _limited("ffprobe")


def _limited(program: str) -> list[str]:
    """The start of a command that runs the program under LIMITS."""
    found = [shutil.which(name) for name in ("prlimit", program)]
    if None in found:
        raise ProbeMissingError(
            f"{program} or prlimit is not installed on the server; install Debian's packages ffmpeg and util-linux."
        )
    limiter, limited = (str(path) for path in found)
    return [limiter, *LIMITS, "--", limited]


def fault(found: Mapping[str, Any], clip: Clip, *, names: Iterable[str]) -> str | None:
    """Why this is not the clip that the manifest declares, as the end of a sentence; None if it is.

    `names` are those of sites, networks and stacks, which nothing inside the video may tell.
    """
    if "error" in found:
        return str(found["error"])
    streams = found["streams"]
    if len(streams) != 1 or streams[0].get("codec_type") != "video":
        kinds = ", ".join(str(stream.get("codec_type")) for stream in streams) or "nothing"
        return f"it holds {kinds}, but must hold one video stream and nothing else"
    video = streams[0]
    if video.get("codec_name") != "h264":
        return f"its codec is {video.get('codec_name')}, but must be h264"
    size = (video.get("width"), video.get("height"))
    if size != (clip.width_px, clip.height_px):
        return f"it is {size[0]}x{size[1]}, but the manifest says {clip.width_px}x{clip.height_px}"
    duration_ms = float(video.get("duration") or found["format"].get("duration") or 0) * 1000
    # half a millisecond for the rounding of decimal numbers
    if abs(duration_ms - clip.duration_ms) > 1000 / clip.frame_rate + 0.5:
        return f"it lasts {duration_ms:.0f} ms, but the manifest says {clip.duration_ms:.0f} ms"
    return _telling_tag(found, names)


def _telling_tag(found: Mapping[str, Any], names: Iterable[str]) -> str | None:
    # whole words, where "_" parts words too
    name = re.compile(rf"(?<![^\W_])(?:{'|'.join(map(re.escape, names))})(?![^\W_])", re.IGNORECASE)
    for part in (found["format"], *found["streams"]):
        for tag, value in part.get("tags", {}).items():
            if tag.lower() not in HARMLESS_TAGS:
                return f"its metadata holds the tag {tag!r}, which a participant could read; encode it without metadata"
            if name.search(str(value)):
                return (
                    f"its metadata holds the tag {tag!r} with the value {value!r}, "
                    "which a participant could read; encode it without metadata"
                )
    return None


def _plain(part: Mapping[str, Any]) -> dict[str, Any]:
    kept = ("codec_type", "codec_name", "width", "height", "duration", "avg_frame_rate", "format_name", "tags")
    return {key: part[key] for key in kept if key in part}
