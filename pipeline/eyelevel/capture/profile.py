"""The profile that a first visit leaves: what Chromium remembers of the network, and its reduction to a cache mode."""

import json
import shutil
from pathlib import Path
from typing import Any

from eyelevel.capture.cache import alt_svc_memory
from eyelevel.capture.inside.request import Cause, VoidError

# Chromium's memory of servers: alternative services and round trips; its place differs between versions
STATE = ("Default/Network Persistent State", "Default/Network/Network Persistent State")


def state_of(profile: Path) -> dict[str, Any]:
    """Empty where Chromium has written none. VoidError where it cannot be read."""
    for place in _places(profile):
        try:
            found = json.loads(place.read_text())
        except ValueError as error:
            raise VoidError(Cause.BROKEN_RESULT, f"Chromium's file {place.name} is broken: {error}") from error
        if isinstance(found, dict):
            return found
    return {}


def reduce(profile: Path, cache: str) -> None:
    """Leave in the profile what the cache mode keeps of it.

    `http` loses the memory of servers, `altsvc` keeps nothing but its alternative services, `all` keeps everything.
    """
    if cache == "http":
        for place in _places(profile):
            place.unlink()
    elif cache == "altsvc":
        places, kept = _places(profile), alt_svc_memory(state_of(profile))
        shutil.rmtree(profile)
        profile.mkdir()
        for place in places:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(json.dumps(kept))


def _places(profile: Path) -> list[Path]:
    return [place for name in STATE if (place := profile / name).is_file()]
