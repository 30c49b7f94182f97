"""Where a settled page shows what it requested: the boxes of images, backgrounds, posters and frames in the viewport.

This is only used by replay checks. Boxes are those of an IntersectionObserver: clipped by the viewport and by every
ancestor that hides its overflow, such as in a carousel. An element that is not rendered, transparent or hidden has no
box. A broken image whose size its page does not fix has collapsed: its box has the ratio of its attributes `width` and
`height`; without them it is unknown. A background that is neither repeated nor scaled, of an element with text and at
most ICON_SIDE_PX on its shorter side, is usually an icon: its box is a square with that side. An element without width
or height in its page has no box either, broken or not.

If a page removes or hides an image that fails, or changes its URL, its box is the one before: REMEMBER runs before the
page's scripts, and stores it. It also stores which scripts and style sheets fail, because the browser reports no failed
request if it refuses an answer for its media type (nosniff) or its digest (integrity).
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from playwright.async_api import Error, Frame, Page, Request

from eyelevel.loads.inside.browsing.exchange import Exchange
from eyelevel.loads.inside.browsing.markup import named_scripts
from eyelevel.loads.inside.browsing.traffic import first_of_chain
from eyelevel.loads.inside.observed import Document, PageRequest, SeenPage
from eyelevel_core.comparability.boxes import Box

# for one document, of which pages have few; a frame whose scripts do not let it answer has no boxes
DOCUMENT_S = 10
SCREENSHOT_S = 30
# a larger box with text upon a background that is not scaled is a picture as wide as the box, and no icon
ICON_SIDE_PX = 128
NOWHERE: Box = (0.0, 0.0, 0.0, 0.0)

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
# the box that a broken image would have, in the viewport; null where its page does not say
BROKEN = """
const fixed = (element) => {
  const style = element.computedStyleMap();
  const sides = ["width", "height"].map((name) => String(style.get(name)));
  return sides.every((side) => side !== "auto") || sides.includes("0px");
};
const inViewport = (x, y, width, height) => {
  const right = Math.min(x + width, innerWidth), bottom = Math.min(y + height, innerHeight);
  const left = Math.max(x, 0), top = Math.max(y, 0);
  return right > left && bottom > top ? [left, top, right - left, bottom - top] : [0, 0, 0, 0];
};
const unbroken = (element) => {
  const { left, top, width, height } = element.getBoundingClientRect();
  if (fixed(element)) return inViewport(left, top, width, height);
  const [across, down] = ["width", "height"].map((name) => Number(element.getAttribute(name)));
  if (!(across > 0 && down > 0)) return null;
  const style = element.computedStyleMap();
  if (String(style.get("height")) !== "auto") return inViewport(left, top, (height * across) / down, height);
  const most = element.parentElement?.clientWidth || innerWidth;
  const wide = (String(style.get("width")) !== "auto" && width) || Math.min(across, most);
  return inViewport(left, top, wide, (wide * down) / across);
};
"""
REMEMBER = (
    "(() => {"
    + BROKEN
    + """
  const failed = [], refused = [];
  addEventListener("error", ({ target }) => {
    if (target instanceof HTMLScriptElement) refused.push(target.src);
    if (target instanceof HTMLLinkElement && target.relList.contains("stylesheet")) refused.push(target.href);
    if (!(target instanceof HTMLImageElement)) return;
    const seen = target.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    failed.push({ element: target, url: target.currentSrc || target.src, box: seen ? unbroken(target) : [0, 0, 0, 0] });
  }, true);
  performance.addEventListener("eyelevel:looked", ({ detail }) => Object.assign(detail, { failed, refused }));
})();
"""
)
OF_FRAME = (
    "async (element) => {" + CLIPPED + "const box = (await clipped([element])).get(element);"
    " const { x, y } = element.getBoundingClientRect();"
    " return { box: shown(element) ? box : [0, 0, 0, 0], at: [x + element.clientLeft, y + element.clientTop] }; }"
)
OF_DOCUMENT = (
    "async () => {"
    + CLIPPED
    + BROKEN
    + f"const ICON_SIDE_PX = {ICON_SIDE_PX};"
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
  const iconAt = (element, style) => {
    const once = style.backgroundRepeat === "no-repeat" && style.backgroundSize === "auto";
    const { width, height } = element.getBoundingClientRect();
    if (!once || Math.min(width, height) > ICON_SIDE_PX || !element.innerText?.trim()) return null;
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
  const detail = {};
  performance.dispatchEvent(new CustomEvent("eyelevel:looked", { detail }));
  const given_up = ({ element, url }) => !element.isConnected || (element.currentSrc || element.src) !== url ||
    element.style.display === "none" || element.style.visibility === "hidden";
  const lost = (detail.failed ?? []).filter((one) => /^https?:/.test(one.url) && given_up(one));
  const there = lost.map((one) => one.element).filter((element) => element.isConnected);
  const boxes = await clipped([...new Set([...found.map((one) => one.element), ...there])]);
  const boxOf = (element) => (shown(element) ? boxes.get(element) : [0, 0, 0, 0]);
  // not beside the viewport, nor beside an ancestor that hides its overflow and has not collapsed itself
  const begins = (element) => {
    const { left, top } = element.getBoundingClientRect();
    const holds = (area) => left >= area.left && top >= area.top &&
      (left < area.right || !area.width) && (top < area.bottom || !area.height);
    for (let up = element.parentElement; up && up !== document.body; up = up.parentElement)
      if (getComputedStyle(up).overflow !== "visible" && !holds(up.getBoundingClientRect())) return false;
    return holds(new DOMRect(0, 0, innerWidth, innerHeight));
  };
  const elements = found.map(({ element, url, kind, broken, icon }) => {
    const { width, height } = element.getBoundingClientRect();
    const whole_px = shown(element) ? (icon ? Math.min(width, height) ** 2 : width * height) : 0;
    if (broken && shown(element) && begins(element)) return { url, kind, box: unbroken(element), whole_px };
    return { url, kind, box: icon ? square(boxOf(element), icon) : boxOf(element), whole_px };
  });
  for (const { element, url, box } of lost) {
    const known = box ?? (element.isConnected ? boxOf(element) : null);
    if (known) elements.push({ url, kind: "image", box: known, whole_px: 0 });
  }
  const plain = (type) => !type || /^(text|application)\\/(x-)?(java|ecma)script$/i.test(type);
  const scripts = [...(document.head?.querySelectorAll("script[src]") ?? [])]
    .filter((one) => !one.async && !one.defer && plain(one.type)).map((one) => absolute(one.src));
  const blocking = performance.getEntriesByType("resource")
    .filter((one) => one.initiatorType === "script" && one.renderBlockingStatus === "blocking").map((one) => one.name);
  const sheets = all.filter((one) => one instanceof HTMLLinkElement && one.relList.contains("stylesheet") && one.href);
  // a page that sets the media once the sheet has come, so that nothing waits for it, means the screen
  const applies = (link) => matchMedia(link.media).matches || /media/.test(link.getAttribute("onload") ?? "");
  const enabled = (link) => !link.relList.contains("alternate") && !link.disabled && !link.sheet?.disabled;
  const used = new Set(sheets.filter((link) => applies(link) && enabled(link)).map((one) => one.href));
  return {
    elements,
    head_scripts: [...new Set(scripts)].filter(Boolean),
    blocking_scripts: [...new Set(blocking)],
    refused: [...new Set(detail.refused ?? [])],
    unused: [...new Set(sheets.map((one) => one.href))].filter((url) => !used.has(url)),
  };
}"""
)


@dataclass(frozen=True)
class Look:
    """A settled page: `page` is the content of page.json, `screenshot` a PNG of the viewport."""

    page: SeenPage
    screenshot: bytes


async def look(page: Page, asked: Iterable[tuple[Request, Exchange]]) -> Look:
    """Returns elements, requests and a screenshot of a settled page; raises Error or TimeoutError without an answer."""
    async with asyncio.timeout(SCREENSHOT_S):
        screenshot = await page.screenshot()
    frames = page.frames
    numbers = {frame: number for number, frame in enumerate(frames)}
    offsets: list[Point] = []
    documents = []
    for frame in frames:
        parent = frame.parent_frame
        above = offsets[numbers[parent]] if parent is not None and parent in numbers else (0.0, 0.0)
        box, at = await _place(frame)
        offsets.append((above[0] + at[0], above[1] + at[1]))
        visible = parent is None or (box[2] > 0 and box[3] > 0)
        hidden = Document(frame.url, _moved(box, above))
        documents.append(await _document(frame, hidden, offsets[-1]) if visible else hidden)
    asked = list(asked)
    requests = tuple(_request(*each, numbers) for each in asked)
    named = await _named_scripts(page, [request for request, _ in asked])
    return Look(SeenPage(tuple(documents), named, requests), screenshot)


async def _named_scripts(page: Page, asked: Sequence[Request]) -> tuple[str, ...] | None:
    try:
        async with asyncio.timeout(DOCUMENT_S):
            documents = [
                request for request in asked if request.is_navigation_request() and request.frame == page.main_frame
            ]
            response = await documents[-1].response() if documents else None
            return None if response is None else tuple(named_scripts(await response.body(), response.url))
    except (Error, TimeoutError):
        return None


async def _place(frame: Frame) -> tuple[Box, Point]:
    """The frame element's clipped box, and where its content begins, both in the coordinates of its document."""
    if frame.parent_frame is None:
        return NOWHERE, (0.0, 0.0)
    try:
        async with asyncio.timeout(DOCUMENT_S):
            place = await (await frame.frame_element()).evaluate(OF_FRAME)
    except (Error, TimeoutError):  # the frame no longer exists
        return NOWHERE, (0.0, 0.0)
    return tuple(place["box"]), (place["at"][0], place["at"][1])


async def _document(frame: Frame, hidden: Document, at: Point) -> Document:
    """The document of a frame whose content begins at `at`; `hidden` if the frame does not answer."""
    try:
        async with asyncio.timeout(DOCUMENT_S):
            fields = await frame.evaluate(OF_DOCUMENT)
    except (Error, TimeoutError):
        if frame.parent_frame is None:
            raise
        return hidden
    document = Document.of({"url": hidden.url, "box": hidden.box, **fields})
    moved = (
        element if element.box is None else replace(element, box=_moved(element.box, at))
        for element in document.elements
    )
    return replace(document, elements=tuple(moved))


def _moved(box: Box, by: Point) -> Box:
    return (round(box[0] + by[0], 2), round(box[1] + by[1], 2), *box[2:])


def _request(request: Request, exchange: Exchange, numbers: Mapping[Frame, int]) -> PageRequest:
    try:
        frame, navigation = numbers.get(request.frame), request.is_navigation_request()
    except Error:  # a request of a worker, or of a frame that was never created
        frame, navigation = None, False
    return PageRequest(
        url=exchange.url,
        method=exchange.method,
        resource_type=exchange.resource_type,
        status=exchange.status,
        failure=exchange.failure,
        from_cache=exchange.from_cache,
        first_url=first_of_chain(request).url,
        redirected=request.redirected_to is not None,
        frame=frame,
        navigation=navigation,
    )
