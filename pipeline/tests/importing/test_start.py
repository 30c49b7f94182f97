"""The page to start with is a document, each is listed once, and what cannot be decided is asked."""

import gzip
from dataclasses import replace

import pytest

from eyelevel.errors import BadInputError
from eyelevel.importing.exchange import Exchange, LeftOut, Order
from eyelevel.importing.rules import imported
from eyelevel.importing.start import start_of

PAGE, FRAME, STYLE = "https://a.example/", "https://ads.example/frame.html", "https://a.example/s.css"
HTML, CSS = "text/html", "text/css"


def answer(
    url: str,
    kind: str = HTML,
    *,
    status: int = 200,
    body: bytes | None = b"<title>one</title>",
    location: str = "",
    **asked: str,
) -> Exchange:
    headers = (("Content-Type", kind), *((("Location", location),) if location else ()))
    sent = tuple((name.replace("_", "-"), value) for name, value in asked.items())
    return Exchange(url, "GET", sent, b"", status, "OK", headers, body)


def start(
    *found: Exchange | LeftOut,
    order: Order = "file",
    named: str | None = None,
    given: str | None = None,
    kind: str = "WARC",
) -> str:
    return start_of(imported(kind, None, named, found, source="file", order=order), given, source="file")


def asks(*found: Exchange | LeftOut, order: Order = "file", named: str | None = None, given: str | None = None) -> str:
    with pytest.raises(BadInputError) as error:
        start(*found, order=order, named=named, given=given)
    return str(error.value)


def style(referer: str = PAGE, url: str = STYLE) -> Exchange:
    return answer(url, CSS, body=b"h1{}", referer=referer)


LOST = answer(PAGE, body=None)
MOVED = answer("http://a.example/old", status=301, body=b"", location=PAGE)

NOT_FOUND = answer("https://a.example/robots.txt", status=404)

DECIDED: dict[str, tuple[list[Exchange | LeftOut], Order, str]] = {
    "the only one": ([style(), answer(PAGE)], "none", PAGE),
    "recorded twice": ([answer(PAGE), style(), answer(PAGE)], "file", PAGE),
    "recorded twice with its port": ([answer(PAGE), style(), answer("https://a.example:443")], "file", PAGE),
    "recorded over http and https": ([answer("http://a.example/"), style(), answer(PAGE)], "file", "http://a.example/"),
    "a redirect leads to it": ([MOVED, answer(PAGE)], "requests", "http://a.example/old"),
    "an answer of an error before it": ([answer(PAGE, status=503), answer(PAGE)], "file", PAGE),
    "a frame": ([answer(FRAME, referer=PAGE), answer(PAGE)], "file", PAGE),
    "a frame without a referrer": ([answer(FRAME, sec_fetch_dest="iframe"), answer(PAGE)], "none", PAGE),
    "loaded by a script": ([answer(FRAME, x_requested_with="XMLHttpRequest"), answer(PAGE)], "none", PAGE),
    "navigated to": ([answer(FRAME), answer(PAGE, sec_fetch_dest="document")], "none", PAGE),
    "from a search engine": ([answer(PAGE, referer="https://search.example/"), style()], "file", PAGE),
    "the first of a HAR": ([answer(PAGE), style(), answer(FRAME)], "requests", PAGE),
    "the first that requests name": ([answer(PAGE), style(), answer(FRAME)], "file", PAGE),
    "robots.txt before it": ([answer("https://a.example/robots.txt", "text/plain"), answer(PAGE)], "file", PAGE),
    "a style sheet that it mentions before it": (
        [style(""), answer(PAGE, body=b"<link href=/s.css>")],
        "requests",
        PAGE,
    ),
    "an error of robots.txt before it": ([NOT_FOUND, answer(PAGE)], "file", PAGE),
    "an error of a frame before it": ([answer(FRAME, status=404, referer=PAGE), answer(PAGE)], "file", PAGE),
    "an error before what was navigated to": (
        [answer(FRAME, status=404), answer(PAGE, sec_fetch_dest="document")],
        "file",
        PAGE,
    ),
    "a lost frame before it": ([answer(FRAME, body=None), answer(PAGE), style()], "file", PAGE),
}


@pytest.mark.parametrize("name", DECIDED)
def test_the_page_is_found(name: str) -> None:
    found, order, url = DECIDED[name]
    assert start(*found, order=order) == url


ERROR, GONE = answer(PAGE, status=404), answer(PAGE, status=302, body=b"", location="/home")
OTHER = answer("https://b.example/x.html")
NAVIGATED = answer("https://b.example/x.html", sec_fetch_dest="document")

ASKED: dict[str, tuple[list[Exchange | LeftOut], Order, str]] = {
    "several": ([answer(PAGE), answer(FRAME)], "file", "does not say which page to start with"),
    "no document": (
        [style(), answer(PAGE, "text/plain")],
        "requests",
        "has no HTML document with status 200 and a body",
    ),
    "only an error": (
        [ERROR],
        "file",
        f"has no HTML document with status 200 and a body ({PAGE} was answered with status 404), so there is no page",
    ),
    "its own body is missing": ([LOST, style()], "requests", f"has no body for its page {PAGE}"),
    "a frame is left": (
        [LOST, style(), answer(FRAME)],
        "requests",
        f"lacks the body of {PAGE}, which looks like the page itself",
    ),
    "a record of it is broken": (
        [LeftOut(PAGE, "broken", LOST), answer(FRAME)],
        "file",
        f"lacks the body of {PAGE}, which looks like the page itself",
    ),
    "an error before it": ([ERROR, OTHER], "file", f"may lack the page itself: {PAGE} was answered with status 404"),
    "an error that was navigated to": (
        [answer(PAGE, status=500, sec_fetch_dest="document"), NAVIGATED],
        "requests",
        f"may lack the page itself: {PAGE} was answered with status 500",
    ),
    "a redirect to nowhere before it": (
        [GONE, style(), OTHER],
        "requests",
        f"may lack the page itself: {PAGE} redirects to https://a.example/home, which is not in the file",
    ),
    "an error that requests name": (
        [OTHER, style(), ERROR],
        "none",
        f"may lack the page itself: {PAGE} was answered with status 404",
    ),
    "redirects in a circle before it": (
        [answer(PAGE, status=302, location="/x"), answer(f"{PAGE}x", status=302, location="/"), OTHER],
        "file",
        f"may lack the page itself: {PAGE} redirects in a circle",
    ),
    "only a redirect to nowhere": (
        [GONE, style()],
        "file",
        f"has no HTML document with status 200 and a body ({PAGE} redirects to https://a.example/home, which",
    ),
    "embedded by a page that is not there": (
        [style(), answer(FRAME, referer=PAGE)],
        "none",
        "has no document that is likely to be the page: each was embedded in or linked from another; "
        f"requests have the referrer {PAGE}",
    ),
    "embedded by a page that nothing else names": (
        [answer(FRAME, referer=PAGE), style(FRAME)],
        "none",
        "has no document that is likely to be the page: each was embedded in or linked from another",
    ),
    "requests name a page that is not there": (
        [answer(FRAME), style()],
        "file",
        f"may lack the page itself; requests have the referrer {PAGE}, which is not in the file",
    ),
    "a style sheet that it does not mention before it": (
        [style(""), answer(FRAME)],
        "requests",
        "may lack the page itself: the first recorded answer is not a document",
    ),
}


@pytest.mark.parametrize("name", ASKED)
def test_what_cannot_be_decided_is_asked(name: str) -> None:
    found, order, why = ASKED[name]
    message = asks(*found, order=order)
    assert message.startswith(f"file {why}")
    assert STYLE not in message.partition("Documents:")[2]


def test_documents_are_listed_once_with_what_speaks_for_each() -> None:
    page = answer(PAGE, body=b"<title> A &amp;\n B</title>", sec_fetch_dest="document")
    other = answer("https://b.example/", body=b"<p>", sec_fetch_dest="document")
    frame = answer(FRAME, referer=PAGE)
    message = asks(page, style(), page, other, MOVED, answer(FRAME, referer=PAGE), frame)
    assert message == (
        "file does not say which page to start with; give it with --start-url. Documents:\n"
        '  https://b.example/ (no title, loaded as document)\n'
        '  http://a.example/old (title "A & B", redirects to https://a.example/, referrer of 3 requests)\n'
        '  https://ads.example/frame.html (title "one", requested by https://a.example/).'
    )  # fmt: skip


def test_a_page_is_read_without_its_codings() -> None:
    zipped = gzip.compress(b"<title>Moss</title><link href=/s.css>" * 99)
    headers = (("Content-Type", HTML), ("Content-Encoding", "gzip"), ("Transfer-Encoding", "chunked"))
    chunked = b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in (zipped[:20], zipped[20:])) + b"0\r\n\r\n"
    for body in (chunked, zipped):
        page = replace(answer(PAGE, body=body), headers=headers)
        assert start(style(""), page, order="requests") == PAGE
        assert f'{PAGE} (title "Moss"' in asks(page, given="https://c.example/")


def test_a_given_page_must_be_a_document_of_the_file() -> None:
    both = (answer(PAGE), answer(FRAME), style(), MOVED)
    assert start(*both, given="https://A.example:443/#top") == PAGE
    assert start(*both, given=MOVED.url) == MOVED.url
    kind = f"file: {STYLE} is not an HTML document with status 200 and a body (200, text/css); "
    assert asks(*both, given=STYLE).startswith(kind)
    assert asks(*both, given="https://c.example/").startswith("file has no answer for https://c.example/; ")
    assert asks(LOST, style(), given=PAGE).startswith(f"file: {PAGE}: its body is not in the file; ")


def test_a_page_that_the_file_names_is_taken_and_missed() -> None:
    both = (answer(FRAME), answer(PAGE), style())
    assert start(*both, named=PAGE) == PAGE
    assert start(*both, named="http://www.a.example/") == PAGE
    assert start(MOVED, answer(PAGE), named=PAGE) == PAGE
    message = asks(*both, named="https://c.example/")
    assert message.startswith("file lacks its main page https://c.example/; export the page again, or give another one")


@pytest.mark.parametrize(
    "asked",
    [{"sec-fetch-dest": "iframe", "referer": PAGE}, {"x-requested-with": "XMLHttpRequest"}, {"referer": PAGE}],
)
def test_a_title_that_names_a_part_of_the_page_does_not_count(asked: dict[str, str]) -> None:
    for page in (answer(PAGE), answer(PAGE, sec_fetch_dest="document")):
        assert (
            start(
                page,
                replace(answer(FRAME), request_headers=tuple(asked.items())),
                order="requests",
                named=FRAME,
                kind="HAR",
            )
            == PAGE
        )
    # a page that a search engine led to
    searched = answer(PAGE, referer="https://search.example/")
    assert start(searched, answer(FRAME), order="requests", named=PAGE, kind="HAR") == PAGE
