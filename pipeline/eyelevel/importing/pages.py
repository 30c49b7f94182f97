"""The documents of a file that could be its start page, and the evidence for and against each. Pure."""

import html
import re
from collections import Counter
from functools import cached_property
from urllib.parse import urljoin, urlsplit

from eyelevel.importing.codings import text_of
from eyelevel.importing.exchange import Exchange, Imported, shown
from eyelevel.importing.wire import REDIRECTS, Headers, as_sent, named

MOST_REDIRECTS = 10
# how many documents are listed
MOST_LISTED = 20
TITLE = re.compile(r"<title[^>]*>([^<]*)", re.IGNORECASE)
PARTS = re.compile(r"text/css|(text|application)/(x-)?(java|ecma)script|image/|font/|application/(x-)?font")
FIRST_ERROR = 400
# requested by browsers and crawlers themselves
UNASKED = re.compile(r"/(favicon\.ico|robots\.txt|sitemap\.xml|\.well-known/.*|apple-touch-icon.*)$", re.DOTALL)
NAVIGATED = {"document"}
LOADED_BY_SCRIPT = "xmlhttprequest"


class Pages:
    """The documents of a file in the order of their requests, each once, with the evidence for each."""

    def __init__(self, imported: Imported) -> None:
        self.imported = imported
        self._in_time = list(imported.exchanges)
        if imported.order == "requests" and all(each.date for each in self._in_time):
            self._in_time.sort(key=lambda each: each.date or "")
        self._by_url: dict[str, list[Exchange]] = {}
        for each in self._in_time:
            self._by_url.setdefault(each.url, []).append(each)
        self._targets = {url: target for url in self._by_url if (target := self._target(url)) is not None}
        behind = set(self._targets.values())
        known = [
            url
            for url in self._by_url
            if self.leads_to_page(url) and not (url in behind and self._is_redirected_to(url))
        ]
        # a replay serves http over https, so both are one page
        self.urls = list({url.partition("://")[2]: url for url in reversed(known)}.values())[::-1]

    def _target(self, url: str) -> str | None:
        """The target of the first answer's redirect; None if it does not redirect, or to itself."""
        first = self._by_url[url][0]
        place = named(first.headers, "location") if first.status in REDIRECTS and first.method == "GET" else None
        try:
            target = None if place is None else as_sent(urljoin(url, place))
        except ValueError:
            return None
        return None if target == url else target

    def leads_to_page(self, url: str) -> bool:
        """Returns whether a URL is a page, or redirects to one."""
        for _ in range(MOST_REDIRECTS):
            if any(each.is_page for each in self._by_url.get(url, ())):
                return True
            if url not in self._targets:
                return False
            url = self._targets[url]
        return False

    def _is_redirected_to(self, url: str) -> bool:
        """Whether a redirect that is not part of another page leads here; then the redirect is the start."""
        return any(
            target == url and self.leads_to_page(source) and not self.was_led_to(source) and not self._is_loop(source)
            for source, target in self._targets.items()
        )

    def _is_loop(self, url: str) -> bool:
        seen = {url}
        while (url := self._targets.get(url, "")) and url not in seen:
            seen.add(url)
        return bool(url)

    def was_navigated_to(self, url: str) -> bool:
        """Returns whether the browser requested a URL, or its redirect target, as a document."""
        asked = (*self._by_url[url], *self._by_url.get(self._end(url), ()))
        return any(_destination(each.request_headers) in NAVIGATED for each in asked)

    def was_led_to(self, url: str) -> bool:
        """Returns whether all its requests were for a part of a page, or came from a link in another page."""
        return not self.was_navigated_to(url) and all(_is_part(each) for each in self._by_url[url])

    def is_part(self, url: str) -> bool:
        """Returns whether it was loaded as a frame or by a script; in a HAR, also if it followed from another document.

        A HAR identifies its page by a title, which some exporters take from the last document.
        """
        if not self.was_led_to(url):
            return False
        if all(_is_loaded_as_part(each) for each in self._by_url[url]):
            return True
        roots = {root for root in self.urls if not self.was_led_to(root)}
        return self.imported.kind == "HAR" and all(_referrer(each) in roots for each in self._by_url[url])

    def lost_before(self, first: str | None) -> str | None:
        """Returns the first page without its body that is before `first`, and that no other page led to; else None."""
        for each in self.imported.answers:
            if isinstance(each, Exchange):
                if each.url == first:
                    return None
            elif each.page is not None and self._is_rival(each.page, first):
                return each.page.url
        return None

    def failed_before(self, first: str | None) -> str | None:
        """Returns what looks like the page, but failed or redirects to nothing, as the end of a sentence; else None.

        It is before the page `first`; in a file without an order, requests have it as referrer instead.
        """
        is_navigated = first is not None and self.was_navigated_to(first)
        for each in self._in_time:
            if self.imported.order != "none" and each.url == first:
                return None
            why = self.why_failed(each.url)
            is_named = self.imported.order != "none" or first is None or bool(self.naming(each.url))
            is_asked = not is_navigated or _destination(each.request_headers) in NAVIGATED
            if why is not None and is_named and is_asked and self._is_rival(each, first):
                return f"{shown(each.url)} {why}"
        return None

    def why_failed(self, url: str) -> str | None:
        """Returns why a URL that looks like a page does not lead to one; None if it does, or does not look like one."""
        first = next(iter(self._by_url.get(url, ())), None)
        if first is None or first.method != "GET" or self.leads_to_page(url) or UNASKED.match(urlsplit(url).path):
            return None
        if first.status in REDIRECTS:
            target = self._targets.get(url)
            if target is None:
                return f"was answered with status {first.status}, without a target"
            if self._is_loop(url):
                return "redirects in a circle"
            return None if target in self._by_url else f"redirects to {shown(target)}, which is not in the file"
        return f"was answered with status {first.status}" if first.status >= FIRST_ERROR and first.is_html else None

    def _is_rival(self, lost: Exchange, first: str | None) -> bool:
        """Whether it may be the page: no evidence is against it, and `first` is not the only one named as referrer."""
        if self.leads_to_page(lost.url) or _is_part(lost):
            return False
        return first is None or bool(self.naming(lost.url)) or not self.naming(first)

    @cached_property
    def _referrers(self) -> Counter[str]:
        counts: Counter[str] = Counter()
        for each in self._in_time:
            referrer = _referrer(each)
            if referrer is not None and referrer != each.url:
                counts[referrer] += 1
        return counts

    def naming(self, url: str) -> int:
        """Returns the number of requests with the page, or its origin, as referrer."""
        ends = {url, self._end(url)}
        return sum(self._referrers[address] for address in ends | {_origin(end) for end in ends})

    def _end(self, url: str) -> str:
        for _ in range(MOST_REDIRECTS):
            url = self._targets.get(url, url)
        return url

    def most_named_missing(self) -> str | None:
        """Returns the most frequent referrer that is not in the file; None if there is none."""
        origins = {_origin(url) for url in self._by_url if self.leads_to_page(url)}
        missing = {url: n for url, n in self._referrers.items() if url not in self._by_url and url not in origins}
        return max(missing, key=lambda url: missing[url]) if missing else None

    def is_only_linked(self) -> bool:
        """Returns whether the only document is first, with a referrer that is missing and that no other request has.

        mm-webrecord starts its own browser, so no request leads to its page.
        """
        is_first = len(self.urls) == 1 and self.imported.order != "none" and self._in_time[0].url == self.urls[0]
        only = self._by_url[self.urls[0]] if is_first else []
        referrers = {_referrer(each) for each in only if not _destination(each.request_headers)}
        named_by_others = {_referrer(each) for each in self._in_time if each.url not in self.urls}
        return bool(referrers) and not referrers & named_by_others

    def stands_out(self, first: str) -> bool:
        """Returns whether it is first in the file, and the only referrer among documents that nothing led to."""
        known = [url for url in self.urls if not self.was_led_to(url) and self.naming(url)]
        return known == [first] and self.imported.order != "none" and next(iter(self._by_url)) == first

    def follows_parts(self, url: str) -> bool:
        """Returns whether parts of a page are before it that it does not mention, and that have another referrer."""
        before: list[Exchange] = []
        for each in self._in_time:
            if each.url == url:
                break
            if each.method == "GET" and each.status == 200 and each.body and _is_loaded_by_page(each):
                before.append(each)
        text = self._text(self._end(url))
        if self.imported.order == "none" or not before or text is None:
            return False
        return not any(urlsplit(each.url).path in text or _referrer(each) == url for each in before)

    def choice(self) -> str:
        """Returns the documents as the end of a sentence; an empty string if there are none."""
        lines = [f"\n  {shown(url)}{self._evidence(url)}" for url in self.urls[:MOST_LISTED]]
        more = len(self.urls) - len(lines)
        return f". Documents:{''.join(lines)}{f'{chr(10)}  and {more:,} more' if more > 0 else ''}" if lines else ""

    def _evidence(self, url: str) -> str:
        text, first = self._text(self._end(url)) or "", self._by_url[url][0]
        title, referrer = TITLE.search(text), _referrer(first)
        name = " ".join(html.unescape(title[1]).split()) if title else ""
        destination, naming = _destination(first.request_headers), self.naming(url)
        words = (
            f'title "{shown(name[:60])}"' if name else "no title",
            "first in the file" if self._in_time[0].url == url else "",
            f"redirects to {shown(self._targets[url])}" if url in self._targets else "",
            f"requested by {shown(referrer)}" if referrer and referrer != url else "",
            f"loaded as {shown(destination)}" if destination else "",
            f"referrer of {naming:,} requests" if naming else "",
        )
        return f" ({', '.join(word for word in words if word)})"

    def _text(self, url: str) -> str | None:
        page = next((each for each in self._by_url.get(url, ()) if each.is_page), None)
        return None if page is None else text_of(page.headers, page.body or b"")


def _is_part(exchange: Exchange) -> bool:
    referrer = _referrer(exchange)
    if _destination(exchange.request_headers) in NAVIGATED:
        return False
    return _is_loaded_as_part(exchange) or (referrer is not None and referrer != exchange.url)


def _is_loaded_as_part(exchange: Exchange) -> bool:
    destination = _destination(exchange.request_headers)
    by_script = (named(exchange.request_headers, "x-requested-with") or "").lower() == LOADED_BY_SCRIPT
    return destination not in NAVIGATED and (bool(destination) or by_script)


def _is_loaded_by_page(exchange: Exchange) -> bool:
    """Whether it is a style sheet, script, picture or font, except /favicon.ico, which browsers request themselves."""
    kind = (named(exchange.headers, "content-type") or "").lower()
    return PARTS.match(kind) is not None and urlsplit(exchange.url).path != "/favicon.ico"


def _destination(headers: Headers) -> str:
    return (named(headers, "sec-fetch-dest") or "").lower()


def _referrer(exchange: Exchange) -> str | None:
    return as_sent(named(exchange.request_headers, "referer") or "")


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}/"
