import type { TrialKind } from './kind';

/** Every folder here with an index is a trial kind. Its code is loaded only if a session needs it. */
const folders = import.meta.glob<TrialKind>('./*/index.ts', { import: 'default' });
const loaded = new Map<string, TrialKind>();

export const kindNames: readonly string[] = Object.keys(folders).map((path) => path.split('/')[1] ?? path);

/** Loads the code of these kinds; ignores unknown kinds. Rejects if loading fails. */
export async function loadKinds(names: Iterable<string>): Promise<void> {
  const missing = [...new Set(names)].filter((name) => !loaded.has(name));
  await Promise.all(
    missing.map(async (name) => {
      const kind = await folders[`./${name}/index.ts`]?.();
      if (kind !== undefined) loaded.set(name, kind);
    }),
  );
}

/** Returns a loaded kind of this version, or null. */
export function trialKind(kind: string, version: number): TrialKind | null {
  const trial = loaded.get(kind);
  return trial?.version === version ? trial : null;
}
