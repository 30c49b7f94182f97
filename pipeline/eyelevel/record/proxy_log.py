"""Reads the recording proxy's log: why it could not get or store an answer. Pure.

The lines are those of warcprox 2.6 (mitmproxy.py, writerthread.py); a traceback follows each.
"""

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

ASKED = re.compile(
    r"(?:problem processing request|error from remote server\(\?\)) "
    r"(['\"])\w+ (?P<target>\S*)[^\n]*?\1: (?P<error>[^\n]+)$",
    re.M,
)
STORED = re.compile(
    r"caught exception processing b(['\"])(?P<target>\S*)\1\n(?:(?:Traceback| )[^\n]*\n)+(?P<error>[^\n]+)"
)
QUOTED = re.compile(r"""\((?:-?\d+, )?(?P<quote>['"])(?P<words>.*)(?P=quote),?\)$""")
# what stands before the words that matter
NOISE = re.compile(r"^(?:<[^>]*>: |\w+\(host='[^']*', port=\d+\): |request rejected by warcprox: )+")


@dataclass(frozen=True)
class Fault:
    """`target` is the URL, or its path and query where the proxy names only these (of a request over TLS)."""

    target: str
    words: str

    def is_of(self, url: str) -> bool:
        parts = urlsplit(url)
        path = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
        return self.target in {url, path, f"{parts.scheme}://{parts.netloc}{path}"}


def faults(log: str) -> list[Fault]:
    """What went wrong, in the proxy's words and the log's order: first what it could not get, then to store."""
    return [
        Fault(found["target"], _words(found["error"].strip()))
        for rule in (ASKED, STORED)
        for found in rule.finditer(log)
    ]


def why(log: str, url: str) -> str | None:
    """Why the proxy has no answer of this URL; None where the log does not say."""
    return next((fault.words for fault in faults(log) if fault.is_of(url)), None)


def _words(error: str) -> str:
    """The message inside an exception's repr, without the objects that it names."""
    found = QUOTED.search(error)
    return NOISE.sub("", found["words"]) if found else error
