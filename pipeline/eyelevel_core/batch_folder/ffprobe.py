"""Decodes a video with ffprobe, under limits. `eyelevel_core.clip_rules` compares the result with the manifest."""

import json
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

PROBE_S = 300
# a crafted file must not exhaust the machine's memory or processor: a clip of a minute needs a tenth of each
MEMORY_BYTES = 1024**3
PROCESSOR_S = 120
LIMITS = (f"--as={MEMORY_BYTES}", f"--cpu={PROCESSOR_S}", "--fsize=0", "--core=0")


class ProbeMissingError(Exception):
    """ffprobe, or the program that limits it, is not installed."""


def probe(path: Path) -> dict[str, Any]:
    """Returns `{error}` where ffprobe cannot read the file as MP4, else its `format` and `streams`.

    Decodes every frame: `nb_read_frames` of a stream counts those without errors, `nb_frames` those of the header.
    """
    command = [*_limited("ffprobe"), "-v", "quiet", "-threads", "1", "-err_detect", "explode", "-count_frames"]
    command += ["-print_format", "json", "-show_format", "-show_streams"]
    # mp4 and nothing else: ffprobe would take a text file for subtitles or a playlist
    command += ["-f", "mp4", "-protocol_whitelist", "file", f"file:{path}"]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, timeout=PROBE_S, check=False)
        report = json.loads(done.stdout or b"{}")
    except (subprocess.TimeoutExpired, ValueError):
        return {"error": "ffprobe did not finish reading it"}
    if done.returncode != 0 or "format" not in report:
        return {"error": "ffprobe finds no MP4 video in it"}
    return {"format": _plain(report["format"]), "streams": [_plain(stream) for stream in report.get("streams", [])]}


def check_installed() -> None:
    """Raise ProbeMissingError where `probe` would."""
    _limited("ffprobe")


def _limited(program: str) -> list[str]:
    """The start of a command that runs the program under LIMITS."""
    paths = [shutil.which(name) for name in ("prlimit", program)]
    if None in paths:
        raise ProbeMissingError(f"{program} or prlimit is missing; install Debian's packages ffmpeg and util-linux.")
    limiter, limited = (str(path) for path in paths)
    return [limiter, *LIMITS, "--", limited]


def _plain(part: Mapping[str, Any]) -> dict[str, Any]:
    names = ("codec_type", "codec_name", "width", "height", "duration", "nb_frames", "nb_read_frames", "tags")
    return {key: part[key] for key in names if key in part}
