// Checks that the scripts and styles that a participant's browser downloads before and during a session stay small.
// Follows Vite's manifest from the participants' document through the pages after consent and the player, which are loaded later.
// Sizes are those of gzip, which every browser accepts; Brotli, which browsers accept on https, is smaller.
import { readFile, stat } from 'node:fs/promises';

const limit = 200_000;
// size needed before anybody can start
const firstLimit = 120_000;
const dist = new URL('../dist/', import.meta.url);
/** @type {Record<string, { file: string, css?: string[], imports?: string[], isDynamicEntry?: boolean }>} */
const manifest = JSON.parse(await readFile(new URL('assets/manifest.json', dist), 'utf8'));

const roots = ['study.html', 'src/features/participate/session/SessionPage.tsx', 'src/shared/player/video/createPlayer.ts'];
// every trial kind, although a session loads only the kinds that it has
roots.push(...Object.keys(manifest).filter((key) => /^src\/trials\/[^/]+\/index\.ts$/.test(key)));
/**
 * @param {string} key
 * @param {Set<string>} files
 */
function follow(key, files) {
  const chunk = manifest[key];
  if (chunk === undefined) throw new Error(`check-size: the build's manifest has no ${key}`);
  if (files.has(chunk.file)) return;
  files.add(chunk.file);
  for (const style of chunk.css ?? []) files.add(style);
  for (const next of chunk.imports ?? []) follow(next, files);
}
/** @type {Set<string>} */
const first = new Set();
follow('study.html', first);
/** @type {Set<string>} */
const files = new Set();
for (const root of roots) follow(root, files);

/**
 * @param {Set<string>} files
 * @param {string} ending
 */
async function total(files, ending) {
  const sizes = await Promise.all([...files].map((file) => stat(new URL(`${file}${ending}`, dist))));
  return sizes.reduce((sum, { size }) => sum + size, 0);
}
const kB = (/** @type {number} */ bytes) => `${(bytes / 1000).toFixed(1)} kB`;
const firstGzip = await total(first, '.gz');
console.log(`scripts and styles of the page of consent: ${kB(firstGzip)} as gzip (limit ${kB(firstLimit)})`);
const gzip = await total(files, '.gz');
console.log(`participant's scripts and styles: ${kB(gzip)} as gzip (limit ${kB(limit)}), ${kB(await total(files, '.br'))} as Brotli`);
if (process.argv.includes('--files')) {
  for (const file of files) console.log(`  ${file}: ${kB((await stat(new URL(`${file}.gz`, dist))).size)}`);
}
if (gzip > limit || firstGzip > firstLimit) {
  console.error('check-size: the files are larger than the limit; check the imports of the participant pages (node tools/check-size.mjs --files)');
  process.exit(1);
}
