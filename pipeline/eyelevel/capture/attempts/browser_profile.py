"""The profile that a first visit leaves: what Chromium remembers of the network, and its reduction to a cache mode."""

import json
import re
import shutil
from collections.abc import Collection
from pathlib import Path
from typing import Any

from eyelevel.capture.attempts.cache import alt_svc_memory, announced
from eyelevel.loads.inside.request import Cause, VoidError

# Chromium's memory of servers: alternative services and round trips; its place differs between versions
STATE = ("Default/Network Persistent State", "Default/Network/Network Persistent State")
# the folder of Chromium's HTTP cache, and the names of its entries: a hash, and which part of the entry it is
CACHE = "Default/Cache/Cache_Data"
ENTRY = re.compile(r"[0-9a-f]{16}_[0-9s]")


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


def judge_profile(profile: Path, cache: str, *, discovers: bool, stored: Collection[str]) -> None:
    """Raise VoidError where a reduced profile has what its cache mode excludes, or lacks what the mode keeps.

    `discovers`: the stack discovers QUIC. `stored` are the URLs that the HTTP cache must hold after the first visit.
    """
    if cache == "http":
        # another version of Chromium may have it in another place, where `reduce` does not find it
        for left in profile.rglob(Path(STATE[0]).name):
            where = left.relative_to(profile)
            raise VoidError(Cause.WRONG_CACHE, f"cache mode http keeps no memory of servers, but {where} has one")
    if cache in ("http", "all") and stored and not _holds_answers(profile / CACHE):
        words = f"the first visit left an empty HTTP cache, which must hold {len(stored)} answers"
        raise VoidError(Cause.CACHE_NOT_FILLED, f"{words}, such as {min(stored)}")
    if cache == "all" and discovers and not announced(state_of(profile)):
        words = "cache mode all keeps Chromium's memory of servers, but it has no alternative service"
        raise VoidError(Cause.CACHE_NOT_FILLED, words)


def _holds_answers(cache: Path) -> bool:
    return cache.is_dir() and any(ENTRY.fullmatch(path.name) for path in cache.iterdir())


def _places(profile: Path) -> list[Path]:
    return [place for name in STATE if (place := profile / name).is_file()]
