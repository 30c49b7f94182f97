/** What the server's figures consist of. Nothing else reaches the page: no script, no style, no reference to elsewhere. */
const elements = new Set(['svg', 'title', 'desc', 'g', 'rect', 'line', 'path', 'circle', 'polygon', 'text']);
const attributes = new Set([
  'id', 'role', 'aria-label', 'aria-labelledby', 'tabindex', 'data-clip', 'data-condition', 'data-cut', 'data-end', 'viewBox', 'width', 'height', 'transform',
  'x', 'y', 'x1', 'x2', 'y1', 'y2', 'cx', 'cy', 'r', 'd', 'points',
  'fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-opacity', 'stroke-dasharray', 'font-family', 'font-size', 'font-weight', 'text-anchor',
]);

/** The SVG of a figure as an element of the page. Throws where the text is no SVG. */
export function elementOf(svg: string): SVGSVGElement {
  const root = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
  if (!(root instanceof SVGSVGElement)) throw new Error('The figure is no SVG.');
  clean(root);
  return document.importNode(root, true);
}

function clean(element: Element): void {
  for (const name of element.getAttributeNames()) if (!attributes.has(name)) element.removeAttribute(name);
  for (const child of [...element.children]) {
    if (elements.has(child.localName)) clean(child);
    else child.remove();
  }
}
