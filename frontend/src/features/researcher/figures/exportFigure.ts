const namespace = 'http://www.w3.org/2000/svg';
const margin = 12;
const headingHeight = 28;
/** Pixels of a PNG per CSS pixel. */
const density = 2;

/** Properties that style sheets of the page set on figures. As attributes they need no style sheet, and no content security policy rejects them. */
const inlined = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-linecap', 'stroke-dasharray', 'opacity', 'paint-order', 'font-family', 'font-size', 'font-weight'];
const drawn = new Set(['text', 'tspan', 'line', 'rect', 'path', 'circle']);

/** A row of the data behind a figure. Names of columns are those of the API and of the export. */
export type DataRow = Readonly<Record<string, string | number | boolean | null>>;

export interface Described {
  /** The heading and the title. */
  title: string;
  /** How to read the figure, and which study and snapshot it is of. */
  description: string;
}

export interface Drawing {
  text: string;
  width: number;
  height: number;
}

/** Characters that every file system takes; a plus sign stays, since names of stacks differ by it. */
export function fileNameOf(parts: readonly string[]): string {
  const clean = (part: string) => part.toLowerCase().replace(/[^\p{L}\p{N}+._]+/gu, '-').replace(/^-+|-+$/g, '');
  return parts.map(clean).filter((part) => part !== '').join('-');
}

/** Rows as CSV (RFC 4180), numbers in full precision, unknown values empty. */
export function csvOf(rows: readonly DataRow[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const line = (values: readonly DataRow[string][]) => values.map((value) => quoted(value === null ? '' : String(value))).join(',');
  return [line(columns), ...rows.map((row) => line(columns.map((column) => row[column] ?? null)))].map((one) => `${one}\n`).join('');
}

/**
 * A figure of the page as a separate file: with heading, title, description and legend, and with computed styles as attributes.
 *
 * Parts with `data-only="file"` are hidden on the page and shown in the file; the last of them is the legend below the figure, `data-height` px high.
 */
export function drawingOf(svg: SVGSVGElement, { title, description }: Described): Drawing {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  inlineStyles(svg, copy);
  const legend = copy.querySelector('[data-only="file"]');
  legend?.removeAttribute('display');
  const width = Number(svg.getAttribute('width')) + 2 * margin;
  const height = Number(svg.getAttribute('height')) + Number(legend?.getAttribute('data-height') ?? 0) + headingHeight + 2 * margin;

  const body = element('g', { transform: `translate(${String(margin)},${String(margin + headingHeight)})` });
  body.append(...copy.childNodes);
  const { fontFamily } = getComputedStyle(svg);
  const file = element('svg', { width, height, viewBox: `0 0 ${String(width)} ${String(height)}`, role: 'img' });
  file.append(
    element('title', {}, title),
    element('desc', {}, description),
    element('rect', { width, height, fill: '#ffffff' }),
    element('text', { x: margin, y: margin + 14, 'font-family': fontFamily, 'font-size': '14px', 'font-weight': 600, fill: '#1d1f21' }, title),
    body,
  );
  return { text: new XMLSerializer().serializeToString(file), width, height };
}

function element(name: string, attributes: Record<string, string | number>, text = ''): SVGElement {
  const made = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.textContent = text;
  return made;
}

function inlineStyles(from: Element, to: Element): void {
  const style = getComputedStyle(from);
  if (drawn.has(from.localName)) {
    for (const property of inlined) {
      const value = style.getPropertyValue(property);
      if (value !== '') to.setAttribute(property, value);
    }
  }
  // labels of axes are nested drawings, whose text stands outside them
  if (to.hasAttribute('style')) to.setAttribute('overflow', 'visible');
  to.removeAttribute('style');
  to.removeAttribute('class');
  for (const [index, child] of [...from.children].entries()) {
    const twin = to.children[index];
    if (twin !== undefined) inlineStyles(child, twin);
  }
}

/** The PNG of a drawing, two pixels per CSS pixel. Throws where the browser cannot draw it. */
export async function pngOf({ text, width, height }: Drawing): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = width * density;
    canvas.height = height * density;
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => {
        if (blob === null) reject(new Error('The browser returned no PNG.'));
        else resolve(blob);
      }, 'image/png');
    });
  } finally {
    URL.revokeObjectURL(url);
  }
}
