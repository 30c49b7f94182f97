"""URLs that stand for a POST in web archives become the request that was sent."""

import pytest

from eyelevel.importing.posted import Posted, restored


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        # as warcio.js, pywb and ArchiveWeb.page write them
        ("https://a.example/x?__wb_method=POST&a=1&b=2", Posted("https://a.example/x", "POST", None)),
        ("https://a.example/x?q=1&__wb_method=PUT&a.2_=2", Posted("https://a.example/x?q=1", "PUT", None)),
        ("https://a.example/x?__wb_method=post&__wb_post_data=YT0x", Posted("https://a.example/x", "POST", b"a=1")),
        ("https://a.example/x?__wb_method=POST&__wb_post_data=", Posted("https://a.example/x", "POST", b"")),
        ("https://a.example/x?__wb_method=POST&__wb_post_data=*", Posted("https://a.example/x", "POST", None)),
        ("https://a.example/x?__wb_method=OPTIONS", Posted("https://a.example/x", "OPTIONS", None)),
        ("https://a.example/x?__wb_post=1&a=1", Posted("https://a.example/x", "POST", None)),
        ("https://a.example/x?__wb_methods=POST&a=1", None),
        ("https://a.example/__wb_method=POST&a=1", None),
        ("https://a.example/x?a=1", None),
    ],
)
def test_the_request_is_restored_as_far_as_the_url_holds_it(url: str, expected: Posted | None) -> None:
    assert restored(url) == expected
