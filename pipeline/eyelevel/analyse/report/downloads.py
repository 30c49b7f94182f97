"""Downloads of the figures of a page: CSV as a link, SVG and PNG by a script that reads the drawing on the page.

Links to SVG and PNG would need a second copy of every drawing, and so double the size of the page.
"""

from urllib.parse import quote
from xml.etree.ElementTree import Element

from eyelevel_figures.elements import tag

# characters that an address may have in an attribute; all others are encoded
PLAIN = "!$&'()*+,-./:;=?@_~"
SCRIPT = """
const save = (name, blob) => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
};
const svgOf = async (drawing) => new Blob([new XMLSerializer().serializeToString(drawing)], { type: 'image/svg+xml' });
const pngOf = async (drawing) => {
  const url = URL.createObjectURL(await svgOf(drawing));
  const image = new Image();
  image.src = url;
  await image.decode();
  URL.revokeObjectURL(url);
  const canvas = document.createElement('canvas');
  canvas.width = 2 * drawing.getAttribute('width');
  canvas.height = 2 * drawing.getAttribute('height');
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
};
for (const line of document.querySelectorAll('[data-figure]')) {
  const name = line.dataset.figure;
  const drawing = document.getElementById(`${name}-title`).closest('svg');
  for (const [format, made] of [['SVG', svgOf], ['PNG', pngOf]]) {
    const button = document.createElement('button');
    button.textContent = format;
    button.setAttribute('aria-label', `${format}: ${drawing.querySelector('title').textContent}`);
    button.onclick = async () => save(`${name}.${format.toLowerCase()}`, await made(drawing));
    line.append(button);
  }
}
"""


def downloads(name: str, title: str, csv: str | None) -> Element:
    """Returns the download links of a figure; `csv` is its table, or None if that is too long for a page."""
    link = None if csv is None else _link(f"{name}.csv", f"CSV: {title}", csv)
    return tag("p", link, class_="downloads", data_figure=name)


def _link(file: str, label: str, csv: str) -> Element:
    address = f"data:text/csv;charset=utf-8,{quote(csv, safe=PLAIN)}"
    return tag("a", "CSV", href=address, download=file, aria_label=label)
