"""The documentation site: its nav has every page, its pages read as on GitHub, and dead links in it are found."""

from pathlib import Path, PurePosixPath

import pytest
from docs import build_site, site_links, site_pages

NAV = build_site.config()["nav"]


def test_the_nav_has_every_page_once() -> None:
    assert build_site.nav_faults(NAV) == []


def test_a_page_that_is_missing_from_the_nav_is_found() -> None:
    without = [part for part in NAV if "Home" not in part]
    assert "docs/README.md is not in the nav of mkdocs.yml" in build_site.nav_faults(without)
    assert "mkdocs.yml: there is no page guides/gone.md" in build_site.nav_faults([*NAV, {"Gone": "guides/gone.md"}])
    assert "mkdocs.yml: README.md is in the nav twice" in build_site.nav_faults([*NAV, "README.md"])


def converted(text: str) -> str:
    return site_pages.converted(text, lambda address: f"<{address}>")


class TestPagesAsPythonMarkdownReadsThem:
    def test_code_in_a_list_is_indented_by_four_spaces_for_each_level(self) -> None:
        text = "Steps:\n1. Do:\n\n       run\n2. Then\n   - more\n\n         code\n"
        assert converted(text) == "Steps:\n\n1. Do:\n\n        run\n\n2. Then\n    - more\n\n            code\n"

    def test_a_year_at_the_beginning_of_a_line_opens_no_list(self) -> None:
        assert converted("It was in\n2019. Then\n") == "It was in\n2019. Then\n"

    def test_headings_have_the_names_of_github(self) -> None:
        assert converted("# A / `b`\n## A / `b`\n") == "# A / `b` {: #a--b }\n## A / `b` {: #a--b-1 }\n"

    def test_a_bar_in_code_in_a_table_needs_no_escape(self) -> None:
        assert converted("| `a\\|b` | c\\|d |\n") == "| `a|b` | c\\|d |\n"

    def test_links_are_moved_but_not_in_code(self) -> None:
        text = "[a `x`](a.md) `[b](b.md)`\n\n    [c](c.md)\n\n[d\ne](d.md#f)\n"
        assert converted(text) == "[a `x`](<a.md>) `[b](b.md)`\n\n    [c](c.md)\n\n[d\ne](<d.md#f>)\n"


@pytest.mark.parametrize(
    ("source", "address", "moved"),
    [
        ("docs/guides/operate.md", "../../GLOSSARY.md#capture", "../GLOSSARY.md#capture"),
        ("docs/README.md", "guides/operate.md", "guides/operate.md"),
        ("docs/README.md", "../README.md", "repository.md"),
        ("GLOSSARY.md", "docs/reference/stacks.md", "reference/stacks.md"),
        ("README.md", "docs/img/rating.png", "img/rating.png"),
        ("docs/guides/containers.md", "../../deploy/Caddyfile", "../files/deploy/Caddyfile.md"),
        ("docs/README.md", "replications", "replications/README.md"),
        ("docs/README.md", "adr", "adr/README.md"),
        ("docs/README.md", "#here", "#here"),
        ("docs/README.md", "https://example.org/a.md", "https://example.org/a.md"),
    ],
)
def test_links_lead_to_the_same_file_on_the_site(source: str, address: str, moved: str) -> None:
    assert site_pages._moved(address, PurePosixPath(source))[0] == moved


@pytest.mark.parametrize("address", ["guides/gone.md", "../../outside.md"])
def test_a_link_to_nothing_is_an_error(address: str) -> None:
    with pytest.raises(site_pages.DeadLinkError, match=r"docs/README\.md links to .* which does not exist"):
        site_pages._moved(address, PurePosixPath("docs/README.md"))


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ('<a href="b.html#there">', None),
        ('<a href="https://example.org/">', None),
        ('<img src="a%20b.png"><a href="./">', None),
        ('<a href="gone.html">', "index.html: gone.html: there is no such file"),
        ('<a href="b.html#gone">', "index.html: b.html#gone: the page has no such name"),
        ('<a href="#gone">', "index.html: #gone: the page has no such name"),
        ('<img src="gone.png">', "index.html: gone.png: there is no such file"),
        ('<img srcset="a%20b.png 1x, gone.png 2x">', "index.html: gone.png: there is no such file"),
        (
            '<script src="https://cdn.example.org/x.js"></script>',
            "index.html: https://cdn.example.org/x.js: is fetched from another host",
        ),
        (
            '<link rel="stylesheet" href="//fonts.example.org/x.css">',
            "index.html: //fonts.example.org/x.css: is fetched from another host",
        ),
    ],
)
def test_addresses_of_the_built_site_lead_somewhere(tmp_path: Path, body: str, fault: str | None) -> None:
    (tmp_path / "index.html").write_text(body)
    (tmp_path / "b.html").write_text('<h2 id="there">There</h2>')
    (tmp_path / "a b.png").touch()
    assert site_links.faults(tmp_path) == ([fault] if fault else [])


def test_a_style_that_imports_from_another_host_is_found(tmp_path: Path) -> None:
    (tmp_path / "x.css").write_text("@import 'https://fonts.example.org/x.css'; a { background: url(data:x) }")
    fault = "x.css: https://fonts.example.org/x.css: is fetched from another host"
    assert site_links.faults(tmp_path) == [fault]
