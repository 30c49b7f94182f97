"""What the capture worker leaves of a small load, and the browser's responses, for tests that need no page."""

import json
from pathlib import Path
from typing import Any

from eyelevel.loads.inside.observed import Observed
from eyelevel_core.model.metrics import BROWSER_FIELDS
from eyelevel_core.model.response import Response

DEFAULTS: dict[str, Any] = {
    "settled_ms": None, "load_ms": 480.5, "given_up": None, "browser": dict.fromkeys(BROWSER_FIELDS),
    "lcp_element": None, "workers": 0, "frames": 9, "end_ms": 4000.0, "lost_changes": 0, "late_ms": 3.0,
    "unquiet_frames": 0, "zero_error_ms": 20.0, "clock_error_ms": 0.1, "clock_bound_ms": 0.5, "cpu_idle_share": 0.25,
    "pressure": None, "marks": {"navigation": 0.0}, "browser_version": "156", "browser_arguments": ["--kiosk"],
    "page_script_digest": "12" * 32,
}  # fmt: skip

SAMPLE = Path(__file__).resolve().parents[3] / "fixtures/sample-batch/takes/garden/DSL/QUIC/run-01/wire.json"


def wire(**server: Any) -> dict[str, Any]:
    """The value of a wire report whose servers say that, and were not asked for anything else."""
    value = json.loads(SAMPLE.read_text())
    return {**value, "server": {**value["server"], "requests": [], **server}}


def seen(**changes: Any) -> Observed:
    """A load, with these of its values as JSON."""
    return Observed.of({**DEFAULTS, **changes})


def response(url: str, **changes: Any) -> Response:
    """A request of the page that was answered before load."""
    usual = {
        "method": "GET", "resource_type": "image", "protocol": "h3", "status": 200, "encoded_body_bytes": 10,
        "begun_ms": 0.0, "ended_ms": 1.0, "before_load": True, "from_cache": False, "failure": None,
    }  # fmt: skip
    return Response.of({"url": url, **usual, **changes})
