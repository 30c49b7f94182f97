"""Builds elements of HTML and SVG; text is escaped."""

from collections.abc import Iterable
from xml.etree.ElementTree import Element, tostring

Child = Element | str | None


def tag(name: str, /, *children: Child | Iterable[Child], **attributes: str | float | None) -> Element:
    """Builds an element; `class_` stands for class, an underscore for a hyphen; attributes of None are omitted."""
    element = Element(name)
    for key, value in attributes.items():
        if value is not None:
            element.set(key.rstrip("_").replace("_", "-"), value if isinstance(value, str) else number(value))
    for child in children:
        if child is None or isinstance(child, str | Element):
            _append(element, child)
        else:
            for part in child:
                _append(element, part)
    return element


def _append(element: Element, child: Child) -> None:
    if isinstance(child, Element):
        element.append(child)
    elif child is not None and len(element):
        element[-1].tail = (element[-1].tail or "") + _unbroken(child)
    elif child is not None:
        element.text = (element.text or "") + _unbroken(child)


def _unbroken(text: str) -> str:
    """Keeps a number and its percent sign on one line."""
    return text.replace(" %", "\u00a0%")


def number(value: float) -> str:
    """Formats a coordinate: at most two decimals, the same on every machine."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def html_text(root: Element) -> str:
    return "<!doctype html>\n" + tostring(root, encoding="unicode", method="html") + "\n"


def svg_text(root: Element) -> str:
    """Returns a standalone SVG file, with the namespace that SVG inside HTML does not need."""
    root.set("xmlns", "http://www.w3.org/2000/svg")
    text = '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode", method="xml") + "\n"
    del root.attrib["xmlns"]
    return text
