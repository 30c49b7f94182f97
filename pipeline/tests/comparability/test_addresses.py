"""Addresses join what a page names with what the browser asked for."""

import pytest

from eyelevel_core.comparability.addresses import address


@pytest.mark.parametrize(
    "url",
    ["https://a.example/x?q=1", "http://a.example/x?q=1#top", "http://a.example:80/x?q=1", "https://A.example:443/x?q=1",
     "https://www.a.example/x?q=1", "http://www.a.example/x?q=1"],
)  # fmt: skip
def test_scheme_usual_port_fragment_and_www_do_not_matter(url: str) -> None:
    assert address(url) == "//a.example/x?q=1"


@pytest.mark.parametrize(
    "url",
    ["https://a.example/x", "https://a.example/x?q=2", "https://a.example:8443/x?q=1", "https://b.a.example/x?q=1",
     "https://wwwa.example/x?q=1", "http://a.example:443/x?q=1"],
)  # fmt: skip
def test_anything_else_is_another_address(url: str) -> None:
    assert address(url) != "//a.example/x?q=1"


def test_an_empty_path_is_the_root_and_text_that_is_not_a_url_stays() -> None:
    assert address("https://a.example") == address("https://a.example/") == "//a.example/"
    assert (address("data:,x"), address("https://[broken/")) == ("data:,x", "https://[broken/")
