import { errorOf, unreachable } from './error';

function broken(): never {
  throw unreachable();
}

export interface Download {
  name: string;
  content: Blob;
}

/** A file that the server makes on request, however long that takes. Throws ApiError where the server makes none or the way is broken. */
export async function fetchFile(path: string): Promise<Download> {
  const response = await fetch(new Request(new URL(path, location.origin), { headers: { Accept: 'application/json' } })).catch(broken);
  if (!response.ok) throw errorOf(response.status, await response.json().catch(() => null));
  const name = /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '')?.[1] ?? 'download';
  return { name, content: await response.blob().catch(broken) };
}

// the browser reads a file some time after it was told to
const KEEP_MS = 60_000;

/** Has the browser store a file where it stores downloads. */
export function saveFile({ name, content }: Download): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => { URL.revokeObjectURL(url); }, KEEP_MS);
}
