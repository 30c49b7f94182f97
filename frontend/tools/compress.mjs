// Writes compressed copies of each script, style and drawing of the build; the server sends them to browsers that accept them.
// Browsers accept Brotli only on https and on localhost, and gzip everywhere.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const assets = new URL('../dist/assets/', import.meta.url);
for (const name of await readdir(assets)) {
  if (!/\.(js|css|svg)$/.test(name)) continue;
  const bytes = await readFile(new URL(name, assets));
  await writeFile(new URL(`${name}.gz`, assets), gzipSync(bytes, { level: 9 }));
  await writeFile(new URL(`${name}.br`, assets), brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }));
}
