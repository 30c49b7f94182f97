"""Server parity, as in the paper's figure 2: the same downloads by TCP+ and QUIC where the network is no limit.

31 downloads each of 10 kB, 100 kB, 1 MB and 10 MB in Chromium, on one warm connection, at 10 ms and 1 Gbit/s without
loss. Bound: medians within 10 % up to 1 MB. Prints a table; `parity.py FILE.svg [DOWNLOADS]` also draws it.
Needs root and Chromium.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
TESTBED = REPOSITORY / "pipeline" / "testbed" / "target" / "release" / "eyelevel-testbed"
INSIDE = Path(__file__).with_name("parity_inside.py")
STACKS = {"TCP+": "tcp", "QUIC": "quic"}
SIZES_BYTES = (10_000, 100_000, 1_000_000, 10_000_000)
BOUND_UP_TO_BYTES = 1_000_000
WITHIN = 0.10
DOWNLOADS = 31
NETWORK = {"name": "wide", "up_mbps": 1000, "down_mbps": 1000, "rtt_ms": 10, "loss": 0, "queue_ms": 100}
LIMIT_S = 170


def record(kind: str, path: str, body: bytes) -> bytes:
    """One response of a WARC file."""
    head = f"HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {len(body)}\r\n\r\n".encode()
    fields = (
        "WARC/1.1",
        "WARC-Type: response",
        f"WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{len(body):012d}>",
        "WARC-Date: 2026-01-01T00:00:00Z",
        f"WARC-Target-URI: https://parity.test{path}",
        "WARC-IP-Address: 192.0.2.80",
        "Content-Type: application/http; msgtype=response",
        f"Content-Length: {len(head) + len(body)}",
    )
    return "\r\n".join(fields).encode() + b"\r\n\r\n" + head + body + b"\r\n\r\n"


def recording() -> bytes:
    page = record("text/html", "/", b"<!doctype html><title>parity</title>")
    files = (record("application/octet-stream", f"/{size}", bytes(range(250)) * (size // 250)) for size in SIZES_BYTES)
    return page + b"".join(files)


def times_ms(stack: str, downloads: int, folder: Path) -> dict[int, list[float]]:
    """Milliseconds of each counted download, by size."""
    (folder / "site.warc").write_bytes(recording())
    (folder / "network.json").write_text(json.dumps(NETWORK))
    asked = ["--recording", str(folder / "site.warc"), "--network-file", str(folder / "network.json")]
    paths = [f"/{size}" for size in SIZES_BYTES]
    inside = [sys.executable, str(INSIDE), STACKS[stack], str(downloads), *paths]
    command = [str(TESTBED), "run", "--stack", stack, "--seed", "1", *asked, "--", *inside]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False, timeout=LIMIT_S)
    if done.returncode != 0:
        raise SystemExit(f"The run over {stack} ended with status {done.returncode}; its own words stand above.")
    return {int(path.lstrip("/")): times for path, times in json.loads(done.stdout).items()}


def draw(file: Path, measured: dict[str, dict[int, list[float]]]) -> None:
    try:
        import matplotlib as mpl  # only the figure needs it
    except ImportError:
        print("no figure: matplotlib is not installed")
        return
    mpl.use("svg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(1, len(SIZES_BYTES), figsize=(10, 3), layout="constrained")
    for axis, size in zip(axes, SIZES_BYTES, strict=True):
        axis.boxplot([measured[stack][size] for stack in STACKS], tick_labels=list(STACKS))
        axis.set_title(f"{size // 1000} kB")
    axes[0].set_ylabel("download (ms)")
    figure.savefig(file, metadata={"Date": None})
    print(f"figure: {file}")


def main() -> None:
    if os.geteuid() != 0:
        raise SystemExit("This bench needs root for network namespaces.")
    figure = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    downloads = int(sys.argv[2]) if len(sys.argv) > 2 else DOWNLOADS
    measured = {}
    for stack in STACKS:
        with tempfile.TemporaryDirectory() as folder:
            measured[stack] = times_ms(stack, downloads, Path(folder))
    ok = True
    network = f"{NETWORK['rtt_ms']} ms and {NETWORK['down_mbps']} Mbit/s"
    print(f"{downloads} downloads each at {network}, median (quartiles) in ms")
    for size in SIZES_BYTES:
        medians = {stack: statistics.median(measured[stack][size]) for stack in STACKS}
        ratio = medians["QUIC"] / medians["TCP+"]
        bound = size <= BOUND_UP_TO_BYTES
        within = abs(ratio - 1) <= WITHIN
        ok &= within or not bound
        shown = []
        for stack in STACKS:
            low, _, high = statistics.quantiles(measured[stack][size], n=4)
            shown.append(f"{stack} {medians[stack]:7.1f} ({low:.1f} to {high:.1f})")
        verdict = ("within" if within else "NOT within") + f" {WITHIN:.0%}" if bound else "no bound"
        print(f"{size // 1000:6d} kB  {'  '.join(shown)}  ratio {ratio:.2f} ({verdict})")
    if figure is not None:
        draw(figure, measured)
    sys.exit(0 if ok else 1)


if __name__ == "__main__":
    main()
