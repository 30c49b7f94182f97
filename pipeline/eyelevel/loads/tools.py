"""The programs that filming needs on PATH."""

import shutil

from eyelevel.built import RECORDER
from eyelevel.errors import ToolMissingError

# with the Debian package of each
TOOLS = {
    "chromium": "chromium",
    "ffmpeg": "ffmpeg",
    "ffprobe": "ffmpeg",
    "Xvfb": "xvfb",
    "fc-list": "fontconfig",
    "setpriv": "util-linux",
    "mount": "mount",
    "nsenter": "util-linux",
}


def check_tools() -> None:
    """Raises ToolMissingError for the first missing program."""
    for name, package in TOOLS.items():
        if shutil.which(name) is None:
            raise ToolMissingError(f"{name} is missing; install it with: apt-get install {package}")
    RECORDER.find()
