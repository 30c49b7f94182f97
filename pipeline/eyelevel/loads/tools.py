"""The programs that filming needs on PATH."""

import shutil

from eyelevel.built import RECORDER
from eyelevel.errors import ToolMissingError

# by the package that has them
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
    """Raise ToolMissingError for the first that is missing."""
    for name, package in TOOLS.items():
        if shutil.which(name) is None:
            raise ToolMissingError(f"{name} is missing; get it by: apt-get install {package}")
    RECORDER.find()
