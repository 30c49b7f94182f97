"""Where a settled page shows what it requested: the boxes of images, backgrounds, posters and frames in the viewport.

Only a replay check asks. Boxes are what an IntersectionObserver reports: clipped by the viewport and by every ancestor
that hides its overflow, as the slides of a carousel are. An element that is not rendered, transparent or hidden has no
box. A broken image whose size its page does not fix has collapsed; its box is unknown. A background that is neither
repeated nor scaled, of an element with text, is mostly an icon: its box is a square with the element's shorter side.
An element whose page gives it no width or no height has no box either, broken or not.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from playwright.async_api import Error, Frame, Page, Request

from eyelevel.capture.inside.exchange import Exchange
from eyelevel.capture.inside.markup import named_scripts
from eyelevel.capture.inside.traffic import first_of_chain

# for one document, of which pages have few; a document whose scripts do not let it answer has no boxes
DOCUMENT_S = 10
SCREENSHOT_S = 30
NOTHING: Mapping[str, Any] = {"elements": [], "head_scripts": [], "blocking_scripts": [], "other_media": []}

Point = tuple[float, float]

CLIPPED = """
const clipped = (elements) => new Promise((done) => {
  if (!elements.length) return done(new Map());
  const boxes = new Map();
  const observer = new IntersectionObserver((entries) => {
    for (const { target, intersectionRect: r } of entries) boxes.set(target, [r.x, r.y, r.width, r.height]);
    if (boxes.size === elements.length) { observer.disconnect(); done(boxes); }
  });
  for (const element of elements) observer.observe(element);
});
const shown = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
"""
OF_FRAME = (
    "async (element) => {" + CLIPPED + "const box = (await clipped([element])).get(element);"
    " const { x, y } = element.getBoundingClientRect();"
    " return { box: shown(element) ? box : [0, 0, 0, 0], at: [x + element.clientLeft, y + element.clientTop] }; }"
)
OF_DOCUMENT = (
    "async () => {"
    + CLIPPED
    + """
  const absolute = (url) => { try { return new URL(url, document.baseURI).href; } catch { return null; } };
  const all = [];
  const walk = (root) => {
    for (const element of root.querySelectorAll("*")) {
      all.push(element);
      if (element.shadowRoot) walk(element.shadowRoot);
    }
  };
  walk(document);
  const PAINTED = ["backgroundImage", "borderImageSource", "listStyleImage", "maskImage", "content"];
  const inStyle = (style) => PAINTED.flatMap((name) =>
    [...String(style[name] ?? "").matchAll(/url\\("((?:[^"\\\\]|\\\\.)*)"\\)/g)].map((found) => found[1]));
  const fixed = (element) => {
    const style = element.computedStyleMap();
    const sides = ["width", "height"].map((name) => String(style.get(name)));
    return sides.every((side) => side !== "auto") || sides.includes("0px");
  };
  const iconAt = (element, style) => {
    const once = style.backgroundRepeat === "no-repeat" && style.backgroundSize === "auto";
    if (!once || !element.innerText?.trim()) return null;
    const share = (at) => (at.endsWith("%") ? parseFloat(at) / 100 : 0);
    return [share(style.backgroundPositionX), share(style.backgroundPositionY)];
  };
  const square = ([x, y, width, height], [right, down]) => {
    const side = Math.min(width, height);
    return [x + (width - side) * right, y + (height - side) * down, side, side];
  };
  const found = [];
  for (const element of all) {
    const add = (url, kind, { broken = false, icon = null } = {}) => {
      const whole = url && absolute(url);
      if (whole && /^https?:/.test(whole)) found.push({ element, url: whole, kind, broken, icon });
    };
    if (element instanceof HTMLImageElement) {
      const url = element.currentSrc || element.src;
      add(url, "image", { broken: element.complete && !element.naturalWidth && !fixed(element) });
    }
    if (element instanceof HTMLInputElement && element.type === "image")
      add(element.src, "image", { broken: !fixed(element) });
    if (element instanceof SVGImageElement) add(element.href.baseVal, "image");
    if (element instanceof HTMLVideoElement) { add(element.poster, "image"); add(element.currentSrc, "media"); }
    for (const pseudo of [null, "::before", "::after"]) {
      const style = getComputedStyle(element, pseudo);
      for (const url of inStyle(style)) add(url, "image", { icon: iconAt(element, style) });
    }
  }
  const boxes = await clipped([...new Set(found.map((one) => one.element))]);
  const elements = found.map(({ element, url, kind, broken, icon }) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const rendered = shown(element);
    const begins = left >= 0 && top >= 0 && left < innerWidth && top < innerHeight;
    const box = rendered ? boxes.get(element) : [0, 0, 0, 0];
    const whole_px = rendered ? (icon ? Math.min(width, height) ** 2 : width * height) : 0;
    const known = icon ? square(box, icon) : box;
    return { url, kind, box: broken && rendered && begins ? null : known, whole_px };
  });
  const plain = (type) => !type || /^(text|application)\\/(x-)?(java|ecma)script$/i.test(type);
  const scripts = [...(document.head?.querySelectorAll("script[src]") ?? [])]
    .filter((one) => !one.async && !one.defer && plain(one.type)).map((one) => absolute(one.src));
  const blocking = performance.getEntriesByType("resource")
    .filter((one) => one.initiatorType === "script" && one.renderBlockingStatus === "blocking").map((one) => one.name);
  const sheets = all.filter((one) => one instanceof HTMLLinkElement && one.relList.contains("stylesheet") && one.href);
  // a page that sets the media once the sheet has come, so that nothing waits for it, means the screen
  const applies = (link) => matchMedia(link.media).matches || /media/.test(link.getAttribute("onload") ?? "");
  const used = new Set(sheets.filter(applies).map((one) => one.href));
  return {
    elements,
    head_scripts: [...new Set(scripts)].filter(Boolean),
    blocking_scripts: [...new Set(blocking)],
    other_media: [...new Set(sheets.map((one) => one.href))].filter((url) => !used.has(url)),
  };
}"""
)


@dataclass(frozen=True)
class Look:
    """`page` is what is in page.json; `screenshot` shows the viewport, as PNG."""

    page: Mapping[str, Any]
    screenshot: bytes


async def look(page: Page, asked: Iterable[tuple[Request, Exchange]]) -> Look:
    """Look at a page that has settled.

    page.json has `requests`, `frames` and `named_scripts`, the scripts of the page's markup as it was received; None
    where the browser has the page's text no more. A request has `frame`, the number of the frame that asked (0 is the
    page; None for one that has gone), `first_url`, the URL before any redirect, `redirected`, whether it led to another
    request, and `navigation`, whether it loads that frame's document. A frame has its `box` in the viewport, `elements`
    with boxes in the page's own pixels, `head_scripts`, scripts of its head that are neither async nor deferred,
    `blocking_scripts`, scripts that the browser says held up rendering, and `other_media`, style sheets that do not
    apply to it.
    """
    async with asyncio.timeout(SCREENSHOT_S):
        screenshot = await page.screenshot()
    frames = page.frames
    numbers = {frame: number for number, frame in enumerate(frames)}
    offsets: list[Point] = []
    found = []
    for frame in frames:
        parent = frame.parent_frame
        above = offsets[numbers[parent]] if parent is not None and parent in numbers else (0.0, 0.0)
        box, at = await _place(frame)
        offsets.append((above[0] + at[0], above[1] + at[1]))
        visible = parent is None or (box[2] > 0 and box[3] > 0)
        document = await _document(frame) if visible else NOTHING
        elements = [{**one, "box": _moved(one["box"], offsets[-1])} for one in document["elements"]]
        found.append({"url": frame.url, "box": _moved(box, above), **document, "elements": elements})
    asked = list(asked)
    requests = [_request(*each, numbers) for each in asked]
    named = await _named_scripts(page, [request for request, _ in asked])
    return Look({"frames": found, "named_scripts": named, "requests": requests}, screenshot)


async def _named_scripts(page: Page, asked: Sequence[Request]) -> list[str] | None:
    try:
        async with asyncio.timeout(DOCUMENT_S):
            documents = [one for one in asked if one.is_navigation_request() and one.frame == page.main_frame]
            response = await documents[-1].response() if documents else None
            return None if response is None else named_scripts(await response.body(), response.url)
    except (Error, TimeoutError):
        return None


async def _place(frame: Frame) -> tuple[list[float], Point]:
    """The frame element's clipped box, and where its content begins, both within the document that holds it."""
    if frame.parent_frame is None:
        return [0.0, 0.0, 0.0, 0.0], (0.0, 0.0)
    try:
        async with asyncio.timeout(DOCUMENT_S):
            found = await (await frame.frame_element()).evaluate(OF_FRAME)
    except (Error, TimeoutError):  # it has gone
        return [0.0, 0.0, 0.0, 0.0], (0.0, 0.0)
    return found["box"], (found["at"][0], found["at"][1])


async def _document(frame: Frame) -> Mapping[str, Any]:
    try:
        async with asyncio.timeout(DOCUMENT_S):
            return dict(await frame.evaluate(OF_DOCUMENT))
    except (Error, TimeoutError):
        return NOTHING


def _moved(box: Sequence[float] | None, by: Point) -> list[float] | None:
    return None if box is None else [round(box[0] + by[0], 2), round(box[1] + by[1], 2), *box[2:]]


def _request(request: Request, exchange: Exchange, numbers: Mapping[Frame, int]) -> dict[str, Any]:
    try:
        frame, navigation = numbers.get(request.frame), request.is_navigation_request()
    except Error:  # a worker asked, or a frame that never came to be
        frame, navigation = None, False
    return {
        "url": exchange.url,
        "method": exchange.method,
        "resource_type": exchange.resource_type,
        "status": exchange.status,
        "failure": exchange.failure,
        "from_cache": exchange.from_cache,
        "first_url": first_of_chain(request).url,
        "redirected": request.redirected_to is not None,
        "frame": frame,
        "navigation": navigation,
    }
