"""Films for benches: takes of the fixture sites, and videos made of them that any program can read."""

import json
import os
import subprocess
import sys
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from eyelevel.video import Frame, decode, inspect

REPOSITORY = Path(__file__).resolve().parents[2]
EYELEVEL = Path(sys.executable).with_name("eyelevel")
LIMIT_S = 600
# docs/reference/commands.md, exit statuses
RUNS_WITHOUT_TAKE = 1


def capture(
    folder: Path,
    campaign: str,
    *,
    before: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
    options: Sequence[str] = (),
    limit_s: float = LIMIT_S,
    probed: bool = False,
    incomplete: bool = False,
) -> list[Path]:
    """Run a campaign into `folder`/batch; the folders of its takes, in the order in which they were taken.

    `before` goes before the command line. `probed`: learn the motion masks of sites without one. `incomplete`: runs
    may stay without a take once their attempts are used up.
    """
    if os.geteuid() != 0:
        raise SystemExit("This bench needs root for network namespaces.")
    (folder / "campaign.toml").write_text(campaign)
    command = [*before, str(EYELEVEL), "capture", str(folder / "campaign.toml"), "--out", str(folder / "batch")]
    command += ["--no-clips", *([] if probed else ["--no-probe"]), *options]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, check=False, timeout=limit_s, env=environment)
    if done.returncode != 0 and not (incomplete and done.returncode == RUNS_WITHOUT_TAKE):
        raise SystemExit(f"The capture ended with status {done.returncode}; its own words stand above.")
    takes = [path.parent for path in (folder / "batch").glob("takes/*/*/*/*/take.json")]
    return sorted(takes, key=lambda take: take.stat().st_ctime_ns)


def site(name: str) -> str:
    """The lines of a campaign for a site of the fixtures."""
    return f'[[sites]]\nname = "{name}"\nrecording = "{REPOSITORY / "fixtures" / f"{name}.warc.gz"}"\n'


def read(take: Path, name: str) -> Any:
    return json.loads((take / name).read_text())


def as_video(take: Path, to: Path, *, frame_rate: int) -> int:
    """The take from navigation start until it settled, as a video that repeats frames at a constant rate, lossless.

    This is how Browsertime itself films: x264 in RGB, crf 0, ultrafast. Returns the number of frames.
    """
    settled_ms = read(take, "take.json")["settled_ms"]
    times_ms = read(take, "frames.json")["times_ms"]
    count = int(settled_ms * frame_rate / 1000) + 1
    wanted = [max(0, bisect_right(times_ms, 1000 * tick / frame_rate) - 1) for tick in range(count)]
    video = inspect(take / "film.mkv")
    size = f"{video.width_px}x{video.height_px}"
    command = ["ffmpeg", "-loglevel", "error", "-f", "rawvideo", "-pixel_format", "rgb24", "-video_size", size]
    encoding = [
        "-framerate",
        str(frame_rate),
        "-i",
        "pipe:0",
        "-c:v",
        "libx264rgb",
        "-crf",
        "0",
        "-preset",
        "ultrafast",
    ]
    process = subprocess.Popen([*command, *encoding, str(to)], stdin=subprocess.PIPE)
    assert process.stdin is not None
    for frame in _shown(decode(video), wanted):
        process.stdin.write(frame.tobytes())
    process.stdin.close()
    if process.wait() != 0:
        raise SystemExit(f"ffmpeg could not write {to}.")
    return count


def _shown(frames: Iterator[Frame], wanted: list[int]) -> Iterator[Frame]:
    """Frame number wanted[0], wanted[1], ... of a film that is read once; the numbers never fall."""
    at, frame = -1, None
    for index in wanted:
        while at < index:
            frame, at = next(frames), at + 1
        assert frame is not None
        yield frame
