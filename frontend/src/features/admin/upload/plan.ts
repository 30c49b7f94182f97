import * as v from 'valibot';

/** As much of a manifest as sending needs; the server checks all of it. */
export const Manifest = v.object({
  contract: v.string(),
  campaign: v.object({ name: v.string() }),
  files: v.record(v.string(), v.object({ sha256: v.string(), bytes: v.number() })),
});
export type Manifest = v.InferOutput<typeof Manifest>;

/** A file of the folder that is not what the manifest says. */
export type Problem = { what: 'missing'; path: string } | { what: 'size'; path: string; expected_bytes: number; found_bytes: number };

/** What can be seen to be wrong before anything is sent. Files that the manifest does not list are left alone. */
export function problemsOf(manifest: Manifest, sizes: ReadonlyMap<string, number>): Problem[] {
  return Object.entries(manifest.files).flatMap(([path, { bytes }]): Problem[] => {
    const found = sizes.get(path);
    if (found === undefined) return [{ what: 'missing', path }];
    return found === bytes ? [] : [{ what: 'size', path, expected_bytes: bytes, found_bytes: found }];
  });
}

/** The files to send, one per missing digest: files with the same bytes are sent once. */
export function filesToSend(manifest: Manifest, missing: readonly string[]): { path: string; sha256: string; bytes: number }[] {
  const wanted = new Set(missing);
  const chosen: { path: string; sha256: string; bytes: number }[] = [];
  for (const [path, { sha256, bytes }] of Object.entries(manifest.files)) {
    if (wanted.delete(sha256)) chosen.push({ path, sha256, bytes });
  }
  return chosen;
}
