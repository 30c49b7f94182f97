/** The SVG elements allowed in the server's figures. Everything else is removed: scripts, styles, external references. */
const elements = new Set(['svg', 'title', 'desc', 'g', 'rect', 'line', 'path', 'circle', 'polygon', 'text']);
const attributes = new Set([
  'id', 'role', 'aria-label', 'aria-labelledby', 'tabindex', 'data-clip', 'data-condition', 'data-cut', 'data-end', 'viewBox', 'width', 'height', 'transform',
  'x', 'y', 'x1', 'x2', 'y1', 'y2', 'cx', 'cy', 'r', 'd', 'points',
  'fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-opacity', 'stroke-dasharray', 'font-family', 'font-size', 'font-weight', 'text-anchor',
]);

/** Parses the SVG of a figure into an element of the page. Throws if the text is not SVG. */
export function elementOf(svg: string): SVGSVGElement {
  const root = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
  if (!(root instanceof SVGSVGElement)) throw new Error('The figure is no SVG.');
  clean(root);
  return document.importNode(root, true);
}

/** Replaces the drawing in `place`. A mark keeps the keyboard focus if the new drawing also has it. */
export function redraw(place: Element, svg: string): void {
  const focused = place.contains(document.activeElement) ? document.activeElement : null;
  const [key, number] = focused === null ? ['', -1] : [keyOf(focused), alike(place, keyOf(focused)).findIndex((mark) => mark === focused)];
  place.replaceChildren(elementOf(svg));
  if (number >= 0) alike(place, key)[number]?.focus({ preventScroll: true });
}

/** The key of a mark: its clip or condition. */
function keyOf(mark: Element): string {
  return mark.getAttribute('data-clip') ?? mark.getAttribute('data-condition') ?? '';
}

/** The marks with this key, in the order of the drawing. */
function alike(place: Element, key: string): (Element & HTMLOrSVGElement)[] {
  return [...place.querySelectorAll<SVGElement>('[tabindex]')].filter((mark) => keyOf(mark) === key);
}

function clean(element: Element): void {
  for (const name of element.getAttributeNames()) if (!attributes.has(name)) element.removeAttribute(name);
  for (const child of [...element.children]) {
    if (elements.has(child.localName)) clean(child);
    else child.remove();
  }
}
