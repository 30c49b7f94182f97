"""Values of the contracts take.1 and campaign.1 for tests, small and whole."""

from collections.abc import Mapping
from typing import Any

from eyelevel_core.contracts import check
from eyelevel_core.model.campaign import Campaign
from eyelevel_core.model.device import Viewport
from eyelevel_core.model.replay_check import CheckedLoad, CheckedRequest, Kind, Match, ReplayCheck
from eyelevel_core.model.run import RunName
from eyelevel_core.model.take import Take

SITE = {"name": "garden", "recording": "garden.warc.gz"}
CAMPAIGN: Mapping[str, Any] = {
    "contract": "eyelevel/campaign/1", "name": "small", "seed": 3, "networks": ["DSL"], "stacks": ["TCP+", "QUIC"],
    "sites": [SITE],
}  # fmt: skip


SHEET = "https://static.example/page.css"


def replay_check(*, lacks_style_sheet: bool = False) -> ReplayCheck:
    """A check that passes all gates, or in which a style sheet was missed over QUIC."""
    sheet = CheckedRequest(SHEET, "GET", Kind.STYLE_SHEET, Match.MISSED, True, (), None, 404, None)
    lost = (sheet,) if lacks_style_sheet else ()
    loads = [
        CheckedLoad(stack, 300.0, 9, 0, 0, len(requests), 0, 400.0, None, (SHEET,), requests)
        for stack, requests in (("TCP+", ()), ("QUIC", lost))
    ]
    return ReplayCheck("ab" * 32, "https://garden.example/", Viewport(1280, 720), 7, None, None, tuple(loads))


def campaign(**changes: Any) -> Campaign:
    return Campaign.of({**CAMPAIGN, **changes}, source="campaign.toml")


def take_value(run: RunName, **changes: Any) -> dict[str, Any]:
    """A take of `run`; a change of a part that is an object is merged into it."""
    value: dict[str, Any] = {
        "contract": "eyelevel/take/1",
        "site": run.site,
        "recording": "ab" * 32,
        "start_url": f"https://{run.site}.example/",
        "network": {"name": run.network, "digest": "01" * 32},
        "stack": {"name": run.stack, "digest": "02" * 32},
        "cache": run.cache,
        "run": run.number,
        "seed": 5,
        "attempt": 1,
        "outcome": "settled",
        "viewport": {"width_px": 1280, "height_px": 720},
        "film": {"path": "film.mkv", "frames": 1, "zero_error_ms": 0.0},
        "metrics": {"fvc_ms": 300.0, "si_ms": 400, "vc85_ms": 500.0, "lvc_ms": 900.0, "plt_ms": 800.0},
        "settled_ms": 3900.0,
        "fidelity": {"exact": 9, "equivalent": 0, "inexact": 1, "missed": 0, "before_load_digest": "03" * 32},
        "provenance": {
            "tools": {}, "fonts_digest": "04" * 32, "browser_arguments": [], "page_script_digest": "05" * 32,
            "scheduler": "rfc9218",
        },
        "files": {},
    }  # fmt: skip
    for name, change in changes.items():
        value[name] = {**value[name], **change} if isinstance(change, dict) and name in value else change
    check(value, "take.1", source="take.json")
    return value


def take(run: RunName, **changes: Any) -> Take:
    return Take.of(take_value(run, **changes))
