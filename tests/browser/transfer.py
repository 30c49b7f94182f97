"""Counts the bytes that a page receives, compressed and without response headers."""

from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import CDPSession

CODE = ("text/javascript", "application/javascript", "text/css")


@dataclass
class Transfer:
    """Counts answers that are there whole, from now on, of the page whose tools `cdp` is.

    Only gzip is offered to the server: what any browser gets, also where Chromium would get something smaller.
    """

    cdp: CDPSession
    # scripts and styles
    code_bytes: int = 0
    other_bytes: int = 0
    # how scripts and styles were packed; empty for one that was not
    encodings: set[str] = field(default_factory=set)
    _is_code: dict[str, bool] = field(default_factory=dict)
    _head_bytes: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.cdp.on("Network.responseReceived", self._begins)
        self.cdp.on("Network.loadingFinished", self._ends)
        self.cdp.send("Network.enable")
        self.cdp.send("Network.setExtraHTTPHeaders", {"headers": {"Accept-Encoding": "gzip"}})

    def _begins(self, event: dict[str, Any]) -> None:
        answer = event["response"]
        is_code = answer["mimeType"] in CODE
        self._is_code[event["requestId"]] = is_code
        self._head_bytes[event["requestId"]] = int(answer["encodedDataLength"])
        if is_code:
            headers = {name.lower(): value for name, value in answer["headers"].items()}
            self.encodings.add(headers.get("content-encoding", ""))

    def _ends(self, event: dict[str, Any]) -> None:
        body_bytes = int(event["encodedDataLength"]) - self._head_bytes.get(event["requestId"], 0)
        if self._is_code.get(event["requestId"], False):
            self.code_bytes += body_bytes
        else:
            self.other_bytes += body_bytes
