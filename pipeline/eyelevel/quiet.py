"""When a page's network is quiet: how long nothing must be in flight, and which requests have an end to wait for.

Recording and replay check wait for the same quiet, so that their screenshots show the same state of the page.
"""

# also the default of a campaign's quiet_ms
QUIET_MS = 3_000
ENDLESS = frozenset({"websocket", "eventsource", "media", "ping", "cspviolationreport", "preflight"})


def counts(resource_type: str, url: str) -> bool:
    """Whether a request is the page's and has an end to wait for. `resource_type` is the browser driver's name."""
    return resource_type not in ENDLESS and url.startswith(("http:", "https:"))
