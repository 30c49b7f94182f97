"""Finds the answers that a browser's HTTP cache must hold after a visit, and may reuse without validation. Pure.

Source: RFC 9111, sections 3 (storing), 4.1 (Vary) and 4.2 (freshness), for the private cache of a browser. Only the
certain case counts: an explicit max-age that outlasts both visits. Freshness by Expires or by a heuristic, and answers
that must be validated, do not count.
"""

import re
from collections.abc import Iterable

from eyelevel_core.batch_folder.har import HarEntry
from eyelevel_core.comparability.content import without_fragment

# a first visit has five minutes, and a filmed one may have many
FRESH_S = 1800
OK = 200
MAX_AGE = re.compile(r"(?:^|[\s,])max-age=\"?(\d{1,15})", re.IGNORECASE)
# request headers that are the same in both visits; cookies may have been set meanwhile
UNCHANGED = ("accept", "accept-encoding", "accept-language", "origin", "user-agent")
NEVER = re.compile(r"(?:^|[\s,])(?:no-store|no-cache)\b", re.IGNORECASE)


def stored_urls(entries: Iterable[HarEntry]) -> frozenset[str]:
    """Returns the URLs, without fragments, of entries of a HAR log that the cache must hold, still fresh."""
    return frozenset(without_fragment(entry.url) for entry in entries if _is_stored(entry))


def _is_stored(entry: HarEntry) -> bool:
    if entry.method != "GET" or entry.status != OK or entry.error is not None:
        return False
    control, vary, age = (entry.header(name) for name in ("cache-control", "vary", "age"))
    max_age = MAX_AGE.search(control)
    if max_age is None or NEVER.search(control) or not _same_for_both(vary):
        return False
    return int(max_age[1]) - (int(age) if age.isdigit() else 0) >= FRESH_S


def _same_for_both(vary: str) -> bool:
    """Whether an answer that varies by these request headers also answers the second visit."""
    return all(name.strip().lower() in ("", *UNCHANGED) for name in vary.split(","))
