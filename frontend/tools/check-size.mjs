// What a participant's browser downloads before and during a session, scripts and styles, must stay small.
// Follows Vite's manifest from the entry through the participant's page and its lazily loaded player.
// Counted is gzip, which every browser takes; Brotli, which they take on https, is smaller.
import { readFile, stat } from 'node:fs/promises';

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

/** @param {string} ending */
async function total(ending) {
  const sizes = await Promise.all([...files].map((file) => stat(new URL(`${file}${ending}`, dist))));
  return sizes.reduce((sum, { size }) => sum + size, 0);
}
const kB = (/** @type {number} */ bytes) => `${(bytes / 1000).toFixed(1)} kB`;
const gzip = await total('.gz');
console.log(`participant's scripts and styles: ${kB(gzip)} as gzip (limit ${kB(limit)}), ${kB(await total('.br'))} as Brotli`);
if (process.argv.includes('--files')) {
  for (const file of files) console.log(`  ${file}: ${kB((await stat(new URL(`${file}.gz`, dist))).size)}`);
}
if (gzip > limit) {
  console.error('check-size: too large; look at what the participant page imports (node tools/check-size.mjs --files)');
  process.exit(1);
}
