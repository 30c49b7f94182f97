"""Browser profile of a first visit: Chromium's network state, and the reduction of the profile to a cache mode."""

import json
import re
import shutil
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from eyelevel.loads.inside.request import Cause, VoidError

# Chromium's memory of servers: alternative services and round trips; its path differs between versions
STATE = ("Default/Network Persistent State", "Default/Network/Network Persistent State")
# the folder of Chromium's HTTP cache, and the names of its entries: a hash, and which part of the entry it is
CACHE = "Default/Cache/Cache_Data"
ENTRY = re.compile(r"[0-9a-f]{16}_[0-9s]")


@dataclass(frozen=True)
class KnownServer:
    """A server that Chromium remembers, with the values of its file; None if there is no value."""

    server: object
    anonymization: object
    alternative_service: object

    def as_json(self) -> dict[str, object]:
        return {name: value for name, value in vars(self).items() if value is not None}


@dataclass(frozen=True)
class NetworkState:
    """The content of Chromium's file Network Persistent State: servers and their protocols.

    `supports_quic` is the local address at which QUIC has worked, or None.
    Source: Chromium, net/http/http_server_properties_manager.cc, version 5 of the format.
    """

    servers: Sequence[KnownServer] = ()
    version: object = None
    supports_quic: Mapping[str, object] | None = None

    @classmethod
    def of(cls, value: object) -> "NetworkState":
        properties = _part(_part(value, "net"), "http_server_properties")
        servers, quic = properties.get("servers", []), properties.get("supports_quic")
        return cls(
            servers=[
                KnownServer(server.get("server"), server.get("anonymization"), server.get("alternative_service"))
                for server in (servers if isinstance(servers, list) else [])
            ],
            version=properties.get("version"),
            supports_quic=quic if isinstance(quic, dict) else None,
        )

    @property
    def announced(self) -> bool:
        """Whether Chromium remembers an alternative service of a server."""
        return any(server.alternative_service for server in self.servers)

    @property
    def knows_quic(self) -> bool:
        """Whether Chromium starts the next visit with QUIC: a server announced it, and it has worked."""
        return self.announced and self.supports_quic is not None and bool(self.supports_quic.get("used_quic"))

    def alternative_services(self) -> dict[str, object]:
        """Returns the content of a file with only alternative services.

        Keeps the services that servers announced, and the local address at which QUIC has worked; without that entry,
        Chromium opens TCP and QUIC at the same time. Removes round trips, support of HTTP/2 and broken services.
        """
        properties: dict[str, object] = {
            "servers": [server.as_json() for server in self.servers if server.alternative_service],
            "version": self.version,
        }
        if self.supports_quic is not None:
            properties["supports_quic"] = self.supports_quic
        return {"net": {"http_server_properties": properties}}


def _part(value: object, name: str) -> Mapping[str, object]:
    part = value.get(name) if isinstance(value, dict) else None
    return part if isinstance(part, dict) else {}


def state_of(profile: Path) -> NetworkState:
    """Reads the network state, which is empty if Chromium has written none; raises VoidError if it is not valid."""
    for place in _places(profile):
        try:
            state = json.loads(place.read_text())
        except ValueError as error:
            raise VoidError(Cause.BROKEN_RESULT, f"Chromium's file {place.name} is broken: {error}") from error
        if isinstance(state, dict):
            return NetworkState.of(state)
    return NetworkState()


def reduce(profile: Path, cache: str) -> None:
    """Removes from the profile what the cache mode does not keep.

    `http` loses the memory of servers, `altsvc` keeps only its alternative services, `all` keeps everything.
    """
    if cache == "http":
        for place in _places(profile):
            place.unlink()
    elif cache == "altsvc":
        places, services = _places(profile), state_of(profile).alternative_services()
        shutil.rmtree(profile)
        profile.mkdir()
        for place in places:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(json.dumps(services))


def judge_profile(profile: Path, cache: str, *, discovers: bool, stored: Collection[str]) -> None:
    """Raises VoidError if a reduced profile has what its cache mode excludes, or lacks what the mode keeps.

    `discovers`: the stack discovers QUIC. `stored` are the URLs that the HTTP cache must hold after the first visit.
    """
    if cache == "http":
        # another version of Chromium may have it in another place, where `reduce` does not find it
        for left in profile.rglob(Path(STATE[0]).name):
            where = left.relative_to(profile)
            raise VoidError(Cause.WRONG_CACHE, f"cache mode http keeps no memory of servers, but {where} has one")
    if cache in ("http", "all") and stored and not _holds_answers(profile / CACHE):
        words = f"the HTTP cache is empty after the first visit, but must contain {len(stored)} answers"
        raise VoidError(Cause.CACHE_NOT_FILLED, f"{words}, such as {min(stored)}")
    if cache == "all" and discovers and not state_of(profile).announced:
        words = "cache mode all keeps Chromium's memory of servers, but it has no alternative service"
        raise VoidError(Cause.CACHE_NOT_FILLED, words)


def _holds_answers(cache: Path) -> bool:
    return cache.is_dir() and any(ENTRY.fullmatch(path.name) for path in cache.iterdir())


def _places(profile: Path) -> list[Path]:
    return [place for name in STATE if (place := profile / name).is_file()]
