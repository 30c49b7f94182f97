export interface Download {
  name: string;
  content: Blob;
}

// the browser reads the file some time after the click
const KEEP_MS = 60_000;

/** Saves a file as a download of the browser. */
export function saveFile({ name, content }: Download): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => { URL.revokeObjectURL(url); }, KEEP_MS);
}
