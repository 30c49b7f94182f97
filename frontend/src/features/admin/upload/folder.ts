/** A file of the chosen folder, under its path inside the batch (relative, with forward slashes). */
export interface FolderFile {
  path: string;
  file: File;
}

/** Makes paths relative to the folder that contains manifest.json, because browsers prefix them with the name of the chosen folder. */
export function relativeToManifest(files: readonly FolderFile[]): FolderFile[] | null {
  const manifests = files
    .map(({ path }) => path)
    .filter((path) => path === 'manifest.json' || path.endsWith('/manifest.json'))
    .sort((a, b) => a.split('/').length - b.split('/').length);
  const [top] = manifests;
  if (top === undefined) return null;
  const root = top.slice(0, -'manifest.json'.length);
  return files.filter(({ path }) => path.startsWith(root)).map(({ path, file }) => ({ path: path.slice(root.length), file }));
}

export function filesOfInput(list: FileList): FolderFile[] {
  return Array.from(list, (file) => ({ path: file.webkitRelativePath === '' ? file.name : file.webkitRelativePath, file }));
}

/** All files in the dropped items and their subfolders. */
export async function filesOfDrop(items: DataTransferItemList): Promise<FolderFile[]> {
  // the entries must be read before the first await, because the list is emptied after the event
  const entries = Array.from(items, (item) => item.webkitGetAsEntry());
  const files = await Promise.all(entries.filter((entry) => entry !== null).map(filesBelow));
  return files.flat();
}

async function filesBelow(entry: FileSystemEntry): Promise<FolderFile[]> {
  if (entry instanceof FileSystemFileEntry) {
    const file = await new Promise<File>((resolve, reject) => { entry.file(resolve, reject); });
    return [{ path: entry.fullPath.replace(/^\//, ''), file }];
  }
  if (!(entry instanceof FileSystemDirectoryEntry)) return [];
  const children = await childrenOf(entry.createReader());
  return (await Promise.all(children.map(filesBelow))).flat();
}

// a reader returns its entries in portions; an empty portion ends them
async function childrenOf(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  const all: FileSystemEntry[] = [];
  for (;;) {
    const portion = await new Promise<FileSystemEntry[]>((resolve, reject) => { reader.readEntries(resolve, reject); });
    if (portion.length === 0) return all;
    all.push(...portion);
  }
}
