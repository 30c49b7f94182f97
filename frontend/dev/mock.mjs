// A stand-in for the backend, for work on the pages alone: serves dist/ with the real content security policy, and
// answers the API of docs/contracts/api.md from memory. Never shipped.
//
//   node dev/mock.mjs --clip single.mp4 --pair pair.mp4 [--port 0] [--slow-ms 0]
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { parseArgs } from 'node:util';

import { participantApi } from './mock-participant.mjs';
import { staffApi } from './mock-staff.mjs';

const { values } = parseArgs({
  options: {
    clip: { type: 'string' },
    pair: { type: 'string' },
    port: { type: 'string', default: '0' },
    'slow-ms': { type: 'string', default: '0' },
  },
});
if (values.clip === undefined || values.pair === undefined) {
  console.error('mock: --clip and --pair are needed, each an H.264 MP4');
  process.exit(2);
}

const policy =
  "default-src 'self'; script-src 'self'; style-src 'self'; media-src 'self' blob:; img-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'";
const types = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.woff2': 'font/woff2', '.woff': 'font/woff', '.json': 'application/json' };
const dist = new URL('../dist/', import.meta.url).pathname;

/** @param {string} path */
async function clipOf(path) {
  const bytes = await readFile(path);
  return { bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
}

const clips = { single: await clipOf(values.clip), pair: await clipOf(values.pair) };
const apis = [participantApi(clips), staffApi(clips)];

/** @param {import('node:http').IncomingMessage} request */
async function bodyOf(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts);
}

/** @param {string} path */
async function fileOf(path) {
  const inside = normalize(path).replace(/^(\.\.[/\\])+/, '');
  try {
    if (extname(inside) === '') throw new Error('a route');
    return { type: types[/** @type {keyof typeof types} */ (extname(inside))] ?? 'application/octet-stream', bytes: await readFile(join(dist, inside)) };
  } catch {
    return inside.startsWith('/assets/') ? null : { type: types['.html'], bytes: await readFile(join(dist, 'index.html')) };
  }
}

const server = createServer((request, response) => {
  void (async () => {
    const url = new URL(request.url ?? '/', 'http://mock');
    if (url.pathname.startsWith('/api/') || url.pathname.startsWith('/clips/')) {
      const body = await bodyOf(request);
      await new Promise((resolve) => setTimeout(resolve, Number(values['slow-ms'])));
      for (const api of apis) {
        const answer = api({ method: request.method ?? 'GET', path: url.pathname, body, cookie: request.headers.cookie ?? '' });
        if (answer === null) continue;
        const bytes = answer.bytes ?? (answer.json === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(answer.json)));
        response.writeHead(answer.status, { 'Content-Type': answer.type ?? 'application/json', 'Content-Length': bytes.length, ...answer.headers });
        response.end(bytes);
        return;
      }
      response.writeHead(404, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ error: { code: 'not_found', message: `The mock knows no ${request.method ?? ''} ${url.pathname}.`, retry: false, details: {} } }));
      return;
    }
    const file = await fileOf(url.pathname);
    response.writeHead(file === null ? 404 : 200, { 'Content-Type': file?.type ?? 'text/plain', 'Content-Security-Policy': policy });
    response.end(file?.bytes);
  })();
});
server.listen(Number(values.port), '127.0.0.1', () => {
  const address = server.address();
  console.log(`http://127.0.0.1:${String(typeof address === 'object' ? address?.port : address)}`);
});
