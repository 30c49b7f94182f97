"""Addresses by which a page's elements, its markup and its requests are joined. Pure."""

from urllib.parse import urlsplit

WWW = "www."


def address(url: str) -> str:
    """Returns the URL without scheme, fragment and a leading `www.` of its host.

    Pages name http URLs that the browser upgrades to https, and hosts that redirect to the same host with www.
    """
    whole = url.partition("#")[0]
    try:
        parts = urlsplit(whole)
    except ValueError:
        return whole
    place = parts.netloc.removesuffix(":80" if parts.scheme == "http" else ":443").lower().removeprefix(WWW)
    return f"//{place}{parts.path or '/'}{'?' if parts.query else ''}{parts.query}" if parts.netloc else whole


def place(url: str) -> str:
    """Returns the address without its query, which may contain a time or a random number."""
    return address(url).partition("?")[0]
