"""Determines what missing style sheets and frames change, from a picture of the page that has them. Pure.

The picture is the recorded screenshot. Without it, a load of the check that has what another load lacks is compared
with a load in which this is blocked.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from eyelevel_core.comparability.addresses import place
from eyelevel_core.comparability.boxes import Box, within
from eyelevel_core.comparability.visible import ABSENT, OTHERWISE
from eyelevel_core.model.replay_check import CheckedLoad, CheckedRequest, Kind


def pictured(load: CheckedLoad, changed: Sequence[Box], *, urls: Collection[str] | None = None) -> CheckedLoad:
    """Returns the load with the boxes of what its missing style sheets and frames change.

    `changed` are the boxes that differ from a picture of the page that has them; it applies to `urls`, None for all.
    Inexact frames count, too. Gate (a) no longer counts the missing style sheets of the page's own document.
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
    """Returns the loads, in which what another load has and they lack is counted by what it changes there.

    `without` returns what changes in the load of that number if these places are blocked; None if that is unknown.
    """
    result = []
    for load in loads:
        places, counted = lost(load) if load.similarity is None else frozenset[str](), load
        for number, other in enumerate(loads):
            both = had(other, places)
            changed = without(number, both) if both else None
            if changed is not None:
                counted, places = pictured(counted, changed, urls=both), places - both
        result.append(counted)
    return result


def lost(load: CheckedLoad) -> frozenset[str]:
    """Returns the places of missing style sheets and frames whose effect is unknown."""
    kinds = (Kind.FRAME, Kind.STYLE_SHEET)
    missing = [request for request in load.requests if request.kind in kinds and request.match in ABSENT]
    return frozenset(place(request.url) for request in missing if request.needed or request.boxes)


def had(load: CheckedLoad, places: Collection[str]) -> frozenset[str]:
    """Returns those of the places that this load needed and received."""
    absent = {place(request.url) for request in load.requests if request.match in ABSENT}
    return frozenset(places) & {place(url) for url in load.needed} - absent
