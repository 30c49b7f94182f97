"""Finds the answers that a browser's HTTP cache must hold after a visit, and may use again without asking. Pure.

Source: RFC 9111, sections 3 (what may be stored), 4.1 (Vary) and 4.2 (freshness), for the private cache of a browser.
Only what is certain counts: an explicit max-age that outlasts both visits. What is fresh by Expires or by a heuristic,
and what must be asked for again, does not.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

# a first visit has five minutes, and a filmed one may have many
FRESH_S = 1800
OK = 200
MAX_AGE = re.compile(r"(?:^|[\s,])max-age=\"?(\d{1,15})", re.IGNORECASE)
NEVER = re.compile(r"(?:^|[\s,])(?:no-store|no-cache)\b", re.IGNORECASE)


def stored_urls(entries: Iterable[Mapping[str, Any]]) -> frozenset[str]:
    """The URLs, without fragments, of those among the entries of a HAR log that the cache must hold, still fresh."""
    return frozenset(entry["request"]["url"].partition("#")[0] for entry in entries if _is_stored(entry))


def _is_stored(entry: Mapping[str, Any]) -> bool:
    request, response = entry["request"], entry["response"]
    if request["method"] != "GET" or response["status"] != OK or "_error" in response:
        return False
    control, vary, age = (_joined(response["headers"], name) for name in ("cache-control", "vary", "age"))
    found = MAX_AGE.search(control)
    if found is None or NEVER.search(control) or "*" in vary:
        return False
    return int(found[1]) - (int(age) if age.isdigit() else 0) >= FRESH_S


def _joined(headers: Iterable[Mapping[str, str]], name: str) -> str:
    return ", ".join(header["value"] for header in headers if header["name"].lower() == name)
