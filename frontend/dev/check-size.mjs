// What a participant's browser downloads before and during a session, scripts and styles, must stay small.
// Follows Vite's manifest from the entry through the participant's page and its lazily loaded player.
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';

const limit = 200_000;
const dist = new URL('../dist/', import.meta.url);
/** @type {Record<string, { file: string, css?: string[], imports?: string[], isDynamicEntry?: boolean }>} */
const manifest = JSON.parse(await readFile(new URL('assets/manifest.json', dist), 'utf8'));

const roots = ['index.html', 'src/features/participate/ParticipantPage.tsx', 'src/shared/player/createPlayer.ts', 'src/locales/participant/de.po'];
// every kind of trial, though a session fetches only those it has
roots.push(...Object.keys(manifest).filter((key) => /^src\/trials\/[^/]+\/index\.ts$/.test(key)));
/** @type {Set<string>} */
const files = new Set();
/** @param {string} key */
function follow(key) {
  const chunk = manifest[key];
  if (chunk === undefined) throw new Error(`check-size: the build's manifest has no ${key}`);
  if (files.has(chunk.file)) return;
  files.add(chunk.file);
  for (const style of chunk.css ?? []) files.add(style);
  for (const next of chunk.imports ?? []) follow(next);
}
roots.forEach(follow);

let total = 0;
for (const file of files) total += gzipSync(await readFile(new URL(file, dist)), { level: 9 }).length;
console.log(`participant's scripts and styles: ${(total / 1000).toFixed(1)} kB compressed (limit ${limit / 1000} kB)`);
if (total > limit) {
  console.error('check-size: too large; look at what the participant page imports');
  process.exit(1);
}
