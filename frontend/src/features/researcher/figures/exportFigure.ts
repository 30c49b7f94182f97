import type { FigureTableOut } from '../../../shared/api/contract.gen';
import { elementOf } from './drawing';

/** Pixels of a PNG per CSS pixel. */
const density = 2;

/** Characters that every file system takes; a plus sign stays, since names of stacks differ by it. */
export function fileNameOf(parts: readonly string[]): string {
  const clean = (part: string) => part.toLowerCase().replace(/[^\p{L}\p{N}+._]+/gu, '-').replace(/^-+|-+$/g, '');
  return parts.map(clean).filter((part) => part !== '').join('-');
}

/** The table as CSV (RFC 4180) with the columns' names in files, numbers in full precision, unknown values empty. */
export function csvOf({ columns, rows }: Pick<FigureTableOut, 'rows'> & { columns: readonly { name: string }[] }): string {
  const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const line = (values: readonly (string | number | null)[]) => `${values.map((value) => quoted(value === null ? '' : String(value))).join(',')}\n`;
  return [line(columns.map(({ name }) => name)), ...rows.map(line)].join('');
}

/** The PNG of an SVG, two pixels per CSS pixel. Throws where the browser cannot draw it. */
export async function pngOf(svg: string): Promise<Blob> {
  const drawn = elementOf(svg);
  const [width, height] = [Number(drawn.getAttribute('width')), Number(drawn.getAttribute('height'))];
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
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
