"""Counts missing style sheets and frames by what they change, where a picture of the page with them is known. Pure.

The picture is the recorded screenshot. Without one, a load of the check may have what another lacks: then the first is
compared with a load in which that is blocked.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from eyelevel_core.comparability.addresses import place
from eyelevel_core.comparability.boxes import Box, within
from eyelevel_core.comparability.visible import ABSENT, OTHERWISE
from eyelevel_core.model.replay_check import CheckedLoad, CheckedRequest, Kind


def pictured(load: CheckedLoad, changed: Sequence[Box], *, urls: Collection[str] | None = None) -> CheckedLoad:
    """The load with the boxes of what its missing style sheets and frames change.

    `changed` is where the picture differs from that of the page with them; it holds for `urls`, None for all. An
    inexact frame counts so, too. What is missing for the page's own document is gate (a)'s no more.
    """
    known = None if urls is None else {place(url) for url in urls}

    def counted(request: CheckedRequest) -> CheckedRequest:
        if known is not None and place(request.url) not in known:
            return request
        if request.kind is Kind.STYLE_SHEET and request.needed and request.match in ABSENT:
            return replace(request, needed=False, boxes=tuple(sorted(changed)))
        framed = request.kind in (Kind.FRAME, Kind.STYLE_SHEET) and request.match in OTHERWISE
        return replace(request, boxes=within(changed, request.boxes)) if framed and request.boxes else request

    return replace(load, requests=tuple(map(counted, load.requests)))


def compared(
    loads: Sequence[CheckedLoad], without: Callable[[int, Collection[str]], Sequence[Box] | None]
) -> list[CheckedLoad]:
    """The loads, where one lacks what another has counted by what that changes there.

    `without` is asked for what changes in the load of that number if these places are blocked; None: not known.
    """
    found = []
    for load in loads:
        places, counted = lost(load) if load.similarity is None else frozenset[str](), load
        for number, other in enumerate(loads):
            both = had(other, places)
            changed = without(number, both) if both else None
            if changed is not None:
                counted, places = pictured(counted, changed, urls=both), places - both
        found.append(counted)
    return found


def lost(load: CheckedLoad) -> frozenset[str]:
    """The places of missing style sheets and frames of which no picture is known."""
    kinds = (Kind.FRAME, Kind.STYLE_SHEET)
    missing = [one for one in load.requests if one.kind in kinds and one.match in ABSENT]
    return frozenset(place(one.url) for one in missing if one.needed or one.boxes)


def had(load: CheckedLoad, places: Collection[str]) -> frozenset[str]:
    """Those of the places that this load needed and got."""
    absent = {place(one.url) for one in load.requests if one.match in ABSENT}
    return frozenset(places) & {place(url) for url in load.needed} - absent
