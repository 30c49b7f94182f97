import type { TrialKind } from './kind';

/** Every folder here with an index is a kind of trial; its code is fetched only where a session asks for it. */
const folders = import.meta.glob<TrialKind>('./*/index.ts', { import: 'default' });
const loaded = new Map<string, TrialKind>();

export const kindNames: readonly string[] = Object.keys(folders).map((path) => path.split('/')[1] ?? path);

/** Fetches the code of these kinds; unknown ones are left out. Rejects where the network does not give it. */
export async function loadKinds(names: Iterable<string>): Promise<void> {
  const missing = [...new Set(names)].filter((name) => !loaded.has(name));
  await Promise.all(
    missing.map(async (name) => {
      const kind = await folders[`./${name}/index.ts`]?.();
      if (kind !== undefined) loaded.set(name, kind);
    }),
  );
}

/** A kind that has been loaded, or null. */
export function trialKind(kind: string, version: number): TrialKind | null {
  const found = loaded.get(kind);
  return found?.version === version ? found : null;
}
