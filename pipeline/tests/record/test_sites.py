"""A list of pages is read strictly; whatever is wrong is named with its line before anything is recorded."""

import pytest

from eyelevel.errors import BadInputError
from eyelevel.record.sites import ListedSite, name_of, read_sites


def test_a_line_has_a_url_and_a_name_if_one_is_given() -> None:
    text = "# all\n\nhttps://www.example.org/a/b?c=1\n  https://example.org/#top mine # not https://x\nhttp://192.0.2.1:81\n"
    assert read_sites(text, source="sites.txt") == [
        ListedSite("example.org-a-b", "https://www.example.org/a/b?c=1", 3),
        ListedSite("mine", "https://example.org/#top", 4),
        ListedSite("192.0.2.1-81", "http://192.0.2.1:81", 5),
    ]


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://www.wikipedia.org/", "wikipedia.org"),
        ("https://user:pw@a.example/ü/", "a.example"),
        ("https://a.example/" + "b" * 80, "a.example-" + "b" * 54),
    ],
)
def test_a_name_is_made_of_host_and_path(url: str, name: str) -> None:
    assert name_of(url) == name


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "sites.txt has no pages"),
        ("# nothing\n", "sites.txt has no pages"),
        ("https://a.example/\nb.example\n", "sites.txt, line 2: b.example is not an http or https URL"),
        ("http://127.0.0.1/", "sites.txt, line 1: http://127.0.0.1/ is on this machine's loopback"),
        ("https://a.example/ a b", "sites.txt, line 1: 'https://a.example/ a b' has 3 parts"),
        ("https://a.example/ ../a", "sites.txt, line 1: '../a' cannot be a site's name"),
        ("https://a.example/ " + "a" * 65, "cannot be a site's name"),
        ("https://a.example/\nhttp://A.example/ A.example", "line 2: line 1 already has the name 'A.example'"),
    ],
)
def test_a_fault_is_named_with_its_line(text: str, sentence: str) -> None:
    with pytest.raises(BadInputError, match=sentence.replace("(", r"\(")):
        read_sites(text, source="sites.txt")
