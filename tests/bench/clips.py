"""Processor time of `eyelevel batch` per second of clip, for pages that stand still and pages that never do.

The films are painted here: a page that loads and stands still, one with a carousel, one with an advertisement that
changes in every frame, and one that changes over its whole width in every frame. Of each there are two stacks, and all
kinds of clips that a campaign has by default, single and side by side, for participants and researchers. The figure is
the processor time of the command with its programs, over the length of all clips. Beside it stands the peer: ffmpeg
alone, which encodes the same frames at 60 a second, piped to it, with the same encoder and quantizer.

Bounds: MOST_S for pages that stand still or have a carousel. `clips.py PAGE...` takes only these pages. Needs ffmpeg.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import films
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from eyelevel.measure.film import measure_film
from eyelevel.video import Frame
from eyelevel_core.contracts import check, sha256_of_file

SAMPLE = films.REPOSITORY / "fixtures" / "sample-batch" / "takes" / "garden" / "DSL"
WIDTH_PX, HEIGHT_PX, RATE = 1280, 720, 60
# processor seconds per second of clip
MOST_S = 1.0
BOUND = ("still", "carousel")
STACKS = ("TCP+", "QUIC")
# when a page is loaded, and when its film ends, in ms since navigation start; the slower stack first
LOADED_MS = {"TCP+": 1500.0, "QUIC": 1200.0}
SETTLED_MS = 8000.0
SLIDE_EVERY_MS, SLIDE_MS = 3000.0, 500.0
CAMPAIGN = """
contract = "eyelevel/campaign/1"
name = "bench-clips"
seed = 7
networks = ["DSL"]
stacks = ["TCP+", "QUIC"]
pairs = [["TCP+", "QUIC"]]
runs = 1

[[sites]]
name = "garden"
recording = "garden.warc.gz"

[clips]
quantiles = []
"""
Shown = Iterator[tuple[float, Frame]]


@dataclass(frozen=True)
class Cost:
    """Processor seconds of making the clips and of the peer, and the length of the clips."""

    ours_s: float
    peer_s: float
    clips_s: float


def page() -> Frame:
    """Lines of text and six photographs, as a front page has them."""
    image = Image.new("RGB", (WIDTH_PX, HEIGHT_PX), (255, 255, 255))
    draw = ImageDraw.Draw(image)
    font = ImageFont.load_default(13)
    words = "the quiet garden opens at nine and closes when the last guest has left it "
    for row in range(330, HEIGHT_PX, 18):
        for column in (20, 440, 860):
            draw.text((column, row), (words * 3)[row % 40 :][:62], (40, 40, 44), font=font)
    frame = np.array(image)
    for number in range(6):
        left = 20 + number * 208
        frame[180:310, left : left + 196] = photograph(number, 196, 130)
    return frame


def photograph(seed: int, width: int, height: int) -> Frame:
    rng = np.random.default_rng(seed)
    coarse = Image.fromarray(rng.integers(0, 256, (height // 12 + 2, width // 12 + 2, 3), dtype=np.uint8))
    fine = rng.integers(-6, 7, (height, width, 1))
    return np.clip(np.asarray(coarse.resize((width, height), Image.Resampling.BICUBIC)) + fine, 0, 255).astype(np.uint8)


def load(loaded_ms: float) -> Shown:
    """A white page, then its lines, then its pictures one by one."""
    whole = page()
    shown = np.full_like(whole, 255)
    yield -40.0, shown.copy()
    shown[310:] = whole[310:]
    yield loaded_ms * 0.4, shown.copy()
    for number in range(6):
        left = 20 + number * 208
        shown[180:310, left : left + 196] = whole[180:310, left : left + 196]
        yield loaded_ms * (0.5 + 0.1 * number), shown.copy()


def moving(loaded_ms: float, kind: str) -> Shown:
    """The load, and what moves from its end on."""
    last = page()
    yield from load(loaded_ms)
    if kind == "still":
        return
    slides = [photograph(100 + number, WIDTH_PX, 160) for number in range(4)]
    count = int((SETTLED_MS - loaded_ms) * RATE / 1000)
    for tick in range(1, count):
        ms = tick * 1000 / RATE
        if kind == "carousel":
            at, into = divmod(ms, SLIDE_EVERY_MS)
            if into > SLIDE_MS:
                continue
            cut = int(WIDTH_PX * into / SLIDE_MS)
            slide, other = slides[int(at) % 4], slides[(int(at) + 1) % 4]
            last[:160] = np.concatenate([slide[:, cut:], other[:, :cut]], axis=1)
        elif kind == "advertisement":
            last[400:650, 940:1240] = np.roll(slides[0], -4 * tick, axis=1)[:, :300].repeat(2, axis=0)[:250]
        else:
            last[:320] = np.roll(slides[0], -4 * tick, axis=1).repeat(2, axis=0)
        yield loaded_ms + ms, last.copy()


PAGES = ("still", "carousel", "advertisement", "endless")


def write_take(batch: Path, stack: str, kind: str) -> None:
    """A take like the sample batch's, with a painted film."""
    place = Path("takes", "garden", "DSL", stack, "run-01")
    folder = batch / place
    folder.mkdir(parents=True)
    command = [
        *("ffmpeg", "-loglevel", "error", "-f", "rawvideo", "-pixel_format", "rgb24"),
        *("-video_size", f"{WIDTH_PX}x{HEIGHT_PX}", "-framerate", str(RATE), "-i", "pipe:0"),
        *("-c:v", "libx264rgb", "-preset", "ultrafast", "-crf", "0", str(folder / "film.mkv")),
    ]
    times_ms: list[float] = []
    process = subprocess.Popen(command, stdin=subprocess.PIPE)
    assert process.stdin is not None
    for ms, frame in moving(LOADED_MS[stack], kind):
        times_ms.append(round(ms, 3))
        process.stdin.write(frame.tobytes())
    process.stdin.close()
    if process.wait() != 0:
        raise SystemExit("ffmpeg could not write a film.")
    measured = measure_film(folder / "film.mkv", times_ms).as_json()
    take = json.loads((SAMPLE / stack / "run-01" / "take.json").read_text())
    frames = json.loads((SAMPLE / stack / "run-01" / "frames.json").read_text())
    frames |= {"times_ms": times_ms, "end_ms": SETTLED_MS}
    # without a mask, both kinds are the same
    known = {name: measured[name] for name in measured if name in take["metrics"]}
    write(folder / "frames.json", frames)
    write(folder / "progress.json", measured)
    take["film"] |= {"frames": len(times_ms), "end_ms": SETTLED_MS}
    take |= {
        "metrics": take["metrics"] | known | {name.replace("_ms", "_plain_ms"): known[name] for name in known},
        "settled_ms": SETTLED_MS,
        "files": {
            name: {"sha256": sha256_of_file(folder / name), "bytes": (folder / name).stat().st_size}
            for name in ("film.mkv", "frames.json", "progress.json")
        },
    }
    check(take, "take.1", source="take.json")
    write(folder / "take.json", take)


def write(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value))


def cost(kind: str, folder: Path) -> Cost:
    batch = folder / "batch"
    batch.mkdir()
    (batch / "campaign.toml").write_text(CAMPAIGN)
    for stack in STACKS:
        write_take(batch, stack, kind)
    begun = used_s()
    subprocess.run([str(films.EYELEVEL), "batch", str(batch)], check=True, stdout=subprocess.DEVNULL)
    ours_s = used_s() - begun
    clips = json.loads((batch / "manifest.json").read_text())["clips"]
    peer_s = sum(encoded_s(batch / clip["path"]) for clip in clips)
    return Cost(ours_s, peer_s, sum(clip["duration_ms"] for clip in clips) / 1000)


def used_s() -> float:
    """Processor time of all programs that have ended, with theirs."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def encoded_s(clip: Path) -> float:
    """Processor time of an ffmpeg that encodes the frames of a clip, as anyone would."""
    reading = ["ffmpeg", "-loglevel", "error", "-i", str(clip), "-f", "rawvideo", "-pix_fmt", "rgb24", "pipe:1"]
    size = subprocess.run(
        ["ffprobe", "-loglevel", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0:s=x", str(clip)],
        capture_output=True, text=True, check=True,
    ).stdout.strip()  # fmt: skip
    given = ("-f", "rawvideo", "-pixel_format", "rgb24", "-video_size", size, "-framerate", str(RATE), "-i", "pipe:0")
    chosen = ("-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "veryfast", "-qp", "16", "-threads", "1")
    with subprocess.Popen(reading, stdout=subprocess.PIPE) as source:
        command = ["ffmpeg", "-loglevel", "error", *given, *chosen, "-f", "null", "-"]
        encoder = subprocess.Popen(command, stdin=source.stdout)
        _, status, usage = os.wait4(encoder.pid, 0)
        encoder.returncode = os.waitstatus_to_exitcode(status)
    if encoder.returncode != 0:
        raise SystemExit("The peer's ffmpeg failed; its own words stand above.")
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    pages = sys.argv[1:] or PAGES
    over = []
    print("page, length of all clips in s, processor s per second of clip: ours, ffmpeg alone, ours over that")
    for kind in pages:
        with tempfile.TemporaryDirectory() as folder:
            found = cost(kind, Path(folder))
        ours, peer = found.ours_s / found.clips_s, found.peer_s / found.clips_s
        print(f"{kind}: {found.clips_s:.1f} s, {ours:.2f}, {peer:.2f}, {ours / peer:.2f}", flush=True)
        if kind in BOUND and ours > MOST_S:
            over.append(kind)
    if over:
        raise SystemExit(f"More than {MOST_S:g} s of processor time per second of clip: {', '.join(over)}.")


if __name__ == "__main__":
    main()
