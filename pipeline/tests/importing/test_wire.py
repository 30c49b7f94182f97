"""URLs are written as browsers send them, and heads are split without touching bytes."""

import pytest

from eyelevel.importing.rules import server_address
from eyelevel.importing.wire import as_sent, message

# from the URL Standard's rules for special schemes
SENT = {
    "https://a.example": "https://a.example/",
    "HTTPS://A.Example:443/B?c#d": "https://a.example/B?c",
    "http://a.example:80/": "http://a.example/",
    "http://a.example:443/": "http://a.example:443/",
    "https://a.example/?": "https://a.example/?",
    "https://bücher.example/ü?ü=–": "https://xn--bcher-kva.example/%C3%BC?%C3%BC=%E2%80%93",
    "https://straße.example/": "https://xn--strae-oqa.example/",
    "https://☕.example/": "https://xn--53h.example/",
    "https://a.example/a b\"<>`{}'%zz%20?a b\"<>'`{}": "https://a.example/a%20b%22%3C%3E%60%7B%7D'%zz%20?a%20b%22%3C%3E%27`{}",
    "https://a.example/\udce9": "https://a.example/%E9",
    "https://[2001:db8::1]:8443/": "https://[2001:db8::1]:8443/",
    "https://me:secret@a.example:443/b@c": "https://a.example/b@c",
    "https://me@@a.example/": "https://a.example/",
    "https://a.example/../up.png": "https://a.example/up.png",
    "https://a.example/a/./b/%2e%2E/c/..?x=../y": "https://a.example/a/?x=../y",
    "https://a.example/a\\b/...": "https://a.example/a/b/...",
    "https://a.example/a//../b/.": "https://a.example/a/b/",
    " https://a.example/ ": "https://a.example/",
}


@pytest.mark.parametrize("url", SENT, ids=ascii)
def test_a_url_is_written_as_browsers_send_it(url: str) -> None:
    assert as_sent(url) == SENT[url]


@pytest.mark.parametrize(
    "url",
    ["", "/a", "a.example/", "ftp://a.example/", "https://", "https://a b/", "https://[::1", "https://a.example:99999/",
     "https://a.example/\n", "https://a\t.example/", "https://ü..example/", "https://a%00b/"],
    ids=ascii,
)  # fmt: skip
def test_an_incomplete_url_is_none(url: str) -> None:
    assert as_sent(url) is None


def test_a_head_is_split_at_its_empty_line_with_any_line_ends() -> None:
    for end in (b"\r\n", b"\n", b"\r\r\n"):
        found = message(end.join([b"HTTP/1.1 200 \xc3\xa0", b"A : \xc3\xa0", b" b", b"no colon", b"", b"x\r\n\r\ny"]))
        assert (found.first_line, found.headers) == ("HTTP/1.1 200 Ã\xa0", (("A", "Ã\xa0 b"),))
        assert found.odd_lines == ("no colon",)
        assert found.body == b"x\r\n\r\ny"
    assert message(b"HTTP/1.1 204 x\r\n").body == b""


ADDRESSES = {
    "192.0.2.1": "192.0.2.1",
    "192.0.2.1:443": "192.0.2.1",
    "[2001:db8::1]": "2001:db8::1",
    "[2001:db8::1]:443": "2001:db8::1",
    "fe80::1%eth0": "fe80::1",
    "[fe80::1%eth0]:80": "fe80::1",
    "a.example/192.0.2.1:443": "192.0.2.1",
    "a.example": None,
    "192.0.2.999": None,
    "192.0.2.1\r\nA: b": None,
    "unix:/run/x": None,
}


@pytest.mark.parametrize("text", ADDRESSES, ids=ascii)
def test_an_address_is_what_is_left_without_brackets_zone_and_port(text: str) -> None:
    address, remark = server_address(text)
    assert (address, remark is None) == (ADDRESSES[text], ADDRESSES[text] is not None)
