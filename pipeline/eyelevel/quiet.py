"""Definition of a quiet network: how long no request may be in flight, and which requests count.

Recording and replay check use the same definition, so that their screenshots show the same state of the page.
"""

# also the default of a campaign's quiet_ms
QUIET_MS = 3_000
ENDLESS = frozenset({"websocket", "eventsource", "media", "ping", "cspviolationreport", "preflight"})


def counts(resource_type: str, url: str) -> bool:
    """Returns whether a request is the page's and ends by itself; `resource_type` is the browser driver's name."""
    return resource_type not in ENDLESS and url.startswith(("http:", "https:"))
