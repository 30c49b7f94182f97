"""Which answers of a first visit a browser's cache must hold, and use without asking, by their headers."""

import pytest

from eyelevel.capture.attempts.cacheable import FRESH_S, stored_urls
from eyelevel_core.batch_folder.har import HarEntry


def entry(*headers: tuple[str, str], method: str = "GET", status: int = 200, error: str | None = None) -> HarEntry:
    return HarEntry(
        url="https://a.test/a.css#top",
        method=method,
        status=status,
        begun_ms=0.0,
        timings={},
        headers=headers,
        server_address=None,
        from_cache=False,
        error=error,
    )


@pytest.mark.parametrize(
    "control", ["max-age=3600", "public, Max-Age=31536000, immutable", f'max-age="{FRESH_S}"', "private,max-age=3600"]
)
def test_an_answer_that_outlasts_both_visits_is_stored(control: str) -> None:
    assert stored_urls([entry(("Cache-Control", control), ("vary", "Accept-Encoding"))]) == {"https://a.test/a.css"}


@pytest.mark.parametrize(
    "left_out",
    [
        entry(),
        entry(("expires", "Tue, 20 Feb 2038 12:00:00 GMT")),
        entry(("cache-control", f"max-age={FRESH_S - 1}")),
        entry(("cache-control", "s-maxage=3600")),
        entry(("cache-control", "max-age=3600, no-cache")),
        entry(("cache-control", "max-age=3600"), ("cache-control", "no-store")),
        entry(("cache-control", "max-age=3600"), ("age", "3000")),
        entry(("cache-control", "max-age=3600"), ("vary", "*")),
        entry(("cache-control", "max-age=3600"), ("vary", "Accept-Encoding, Cookie")),
        entry(("cache-control", "max-age=3600"), method="POST"),
        entry(("cache-control", "max-age=3600"), status=206),
        entry(("cache-control", "max-age=3600"), error="net::ERR_ABORTED"),
    ],
)
def test_what_is_not_certain_to_be_stored_and_fresh_is_left_out(left_out: HarEntry) -> None:
    assert stored_urls([left_out]) == frozenset()
