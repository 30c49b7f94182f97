"""Finds the page to start with: an HTML document, or a redirect that leads to one. Pure.

The page that the file gives is preferred, unless it was loaded as a frame or by a script. Otherwise it is the document
that no other recorded request led to, unless there is evidence against it: it was requested as a frame, the referrer of
the other requests is missing, or style sheets were loaded before it. If this does not decide, the error lists the
documents, and the user chooses.
"""

from eyelevel.errors import BadInputError
from eyelevel.importing.exchange import Imported, shown
from eyelevel.importing.pages import Pages
from eyelevel.importing.wire import as_sent, named
from eyelevel_core.comparability.addresses import address

UNNAMED = "does not say which page to start with"


def start_of(imported: Imported, given: str | None, *, source: str) -> str:
    """Returns the URL to start with; raises BadInputError if it is not in the file, or cannot be determined."""
    pages = Pages(imported)
    if given is not None:
        return _given(pages, given, source)
    if imported.start_url is not None:
        alike = next((url for url in pages.urls if address(url) == address(imported.start_url or "")), None)
        named_page = imported.start_url if pages.leads_to_page(imported.start_url) else alike
        if named_page is not None and not pages.is_part(named_page):
            return named_page
        if named_page is None and imported.kind != "HAR":  # in a HAR it is a title, which may not be a request's URL
            failed = pages.why_failed(imported.start_url)
            lacks = f"lacks its main page {shown(imported.start_url)}{f', which {failed}' if failed else ''}"
            raise _ask(pages, f"{source} {lacks}")
    if not pages.urls:
        lost = pages.lost_before(None)
        what = "no HTML document with status 200 and a body" if lost is None else f"no body for its page {shown(lost)}"
        failed = None if lost else pages.failed_before(None)
        raise _ask(pages, f"{source} has {what}{f' ({failed})' if failed else ''}")
    first, why = _decided(pages)
    if why is None and first is not None:
        return first
    raise _ask(pages, f"{source} {why}")


def _given(pages: Pages, given: str, source: str) -> str:
    url = as_sent(given) or given
    if pages.leads_to_page(url):
        return url
    lost = next((entry for entry in pages.imported.left_out if entry.place == url), None)
    if lost is not None:
        raise BadInputError(f"{source}: {lost}; give another page with --start-url{pages.choice()}.")
    known = [each for each in pages.imported.exchanges if each.url == url]
    if not known:
        raise _ask(pages, f"{source} has no answer for {shown(given)}")
    kind = named(known[0].headers, "content-type") or "no content type"
    why = f"{shown(given)} is not an HTML document with status 200 and a body ({known[0].status}, {kind})"
    raise _ask(pages, f"{source}: {why}")


def _decided(pages: Pages) -> tuple[str | None, str | None]:
    """The page, and why it cannot be determined."""
    roots = [url for url in pages.urls if not pages.was_led_to(url)]
    navigated = [url for url in roots if pages.was_navigated_to(url)]
    first = next(iter(roots), None)
    lost = pages.lost_before(first)
    if lost is not None:
        return None, f"lacks the body of {shown(lost)}, which looks like the page itself"
    failed = pages.failed_before(first)
    if failed is not None:
        return None, f"may lack the page itself: {failed}"
    if first is None and pages.is_only_linked():
        return pages.urls[0], None
    if first is None:
        why = "has no document that is likely to be the page: each was embedded in or linked from another"
        return None, f"{why}{_missing(pages)}"
    if len(navigated) == 1:
        return navigated[0], None
    return first, _doubt(pages, first, is_one_of_many=len(roots) > 1)


def _doubt(pages: Pages, first: str, *, is_one_of_many: bool) -> str | None:
    if is_one_of_many and pages.imported.order != "requests" and not pages.stands_out(first):
        return UNNAMED
    if not pages.naming(first) and (missing := _missing(pages)):
        return f"may lack the page itself{missing}"
    if pages.follows_parts(first):
        return "may lack the page itself: the first recorded answer is not a document"
    return None


def _missing(pages: Pages) -> str:
    referrer = pages.most_named_missing()
    return f"; requests have the referrer {shown(referrer)}, which is not in the file" if referrer else ""


def _ask(pages: Pages, why: str) -> BadInputError:
    if not pages.urls:
        return BadInputError(f"{why}, so there is no page to start with; export the page again.")
    cure = "give it" if why.endswith(UNNAMED) else "export the page again, or give another one"
    return BadInputError(f"{why}; {cure} with --start-url{pages.choice()}.")
