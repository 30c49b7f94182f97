import * as v from 'valibot';

/** The part of a manifest that sending needs. The server checks the whole manifest. */
export const Manifest = v.object({
  contract: v.string(),
  campaign: v.object({ name: v.string() }),
  files: v.record(v.string(), v.object({ sha256: v.string(), bytes: v.number() })),
});
export type Manifest = v.InferOutput<typeof Manifest>;

/** A file that is missing from the folder, or whose size differs from the manifest. */
export type Problem = { what: 'missing'; path: string } | { what: 'size'; path: string; expected_bytes: number; found_bytes: number };

/** Checks the folder against the manifest before sending. Files that the manifest does not list are ignored. */
export function problemsOf(manifest: Manifest, sizes: ReadonlyMap<string, number>): Problem[] {
  return Object.entries(manifest.files).flatMap(([path, { bytes }]): Problem[] => {
    const actual = sizes.get(path);
    if (actual === undefined) return [{ what: 'missing', path }];
    return actual === bytes ? [] : [{ what: 'size', path, expected_bytes: bytes, found_bytes: actual }];
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
