"""Renders the page that shows all contact sheets of a batch, by scene. Pure."""

from collections.abc import Iterable
from html import escape
from urllib.parse import quote

HEAD = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Contact sheets</title>
<style>body{font:14px sans-serif;background:#eee;margin:1rem}h2{margin:1.5rem 0 .3rem}
h3{margin:.4rem 0 .1rem;font-weight:500}
img{display:block;max-width:100%}</style>
<h1>Contact sheets</h1>
<p>One row per run, one column per moment since navigation start; the last column is the film's end. All stacks of a
site and network show the same moments. Red: the page did not settle within the limit.</p>
"""


def page(scenes: Iterable[tuple[tuple[str, str, str], Iterable[tuple[str, int, str]]]]) -> str:
    """Returns the HTML of all scenes (site, network, cache) with settings (stack, runs, file name of the picture)."""
    parts = [HEAD]
    for (site, network, cache), settings in scenes:
        parts.append(f"<h2>{escape(site)}, {escape(network)}{'' if cache == 'cold' else f', {escape(cache)}'}</h2>\n")
        for stack, runs, name in settings:
            words = f"{stack}, {runs} run{'s' if runs > 1 else ''}"
            image = f'<img loading="lazy" src="{escape(quote(name))}" alt="{escape(f"{site}, {network}, {words}")}">'
            parts.append(f"<h3>{escape(words)}</h3>{image}\n")
    return "".join([*parts, "</html>\n"])
