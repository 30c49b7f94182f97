export interface Download {
  name: string;
  content: Blob;
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
