"""The recording proxy's log: why it could not get or store an answer. Pure.

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
# prefixes of a message
NOISE = re.compile(r"^(?:<[^>]*>: |\w+\(host='[^']*', port=\d+\): |request rejected by warcprox: )+")


@dataclass(frozen=True)
class Fault:
    """An error in the log; `target` is the URL, or only its path and query if the request was over TLS."""

    target: str
    words: str

    def is_of(self, url: str) -> bool:
        """Returns whether the error is about this URL."""
        parts = urlsplit(url)
        path = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
        return self.target in {url, path, f"{parts.scheme}://{parts.netloc}{path}"}


def faults(log: str) -> list[Fault]:
    """Returns the errors in the log's order: first the answers that it could not get, then those it could not store."""
    return [
        Fault(match["target"], _words(match["error"].strip()))
        for rule in (ASKED, STORED)
        for match in rule.finditer(log)
    ]


def why(log: str, url: str) -> str | None:
    """Returns why the proxy has no answer for this URL; None if the log gives no reason."""
    return next((fault.words for fault in faults(log) if fault.is_of(url)), None)


def _words(error: str) -> str:
    """The message in the repr of an exception, without the reprs of objects."""
    match = QUOTED.search(error)
    return NOISE.sub("", match["words"]) if match else error
