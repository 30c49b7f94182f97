"""Scripts that a document's own markup names."""

from eyelevel.loads.inside.browsing.markup import named_scripts

URL = "https://a.example/shop/index.html"


def test_scripts_of_the_markup_are_named_and_those_that_scripts_write_are_not() -> None:
    document = b"""<!DOCTYPE html><HEAD><SCRIPT SRC=" head.js?a=1&amp;b=2 "></SCRIPT>
    <script async src="//cdn.example/x.js"></script><!-- <script src="old.js"></script> -->
    <script>document.write('<script src="written.js"><\\/script>');
    document.write("<script src=other.js></scr" + "ipt>")</script><script src></script></head>
    <body><title>\xff</title><textarea><script src="text.js"></script></textarea><script src="/late.js"></script>"""
    found = named_scripts(document, URL)
    assert found[:2] == ["https://a.example/shop/head.js?a=1&b=2", "https://cdn.example/x.js"]
    assert found[-1] == "https://a.example/late.js"
    assert not [url for url in found if "written" in url or "old" in url or "other" in url]


def test_the_first_base_of_the_document_counts() -> None:
    document = b'<base target="_top"><base href="/static/"><base href="/x/"><script src="a.js"></script>'
    assert named_scripts(document, URL) == ["https://a.example/static/a.js"]


def test_a_source_that_is_no_url_is_passed_over() -> None:
    assert named_scripts(b'<script src="https://[a/x.js"></script><script src="b.js"></script>', URL) == [
        "https://a.example/shop/b.js"
    ]
