import { elementOf } from './drawing';

/** Pixels of a PNG per CSS pixel. */
const density = 2;

/** Converts an SVG to PNG with two pixels per CSS pixel. Throws if the browser cannot draw it. */
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
