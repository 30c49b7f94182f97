import { createHash, createHmac } from 'node:crypto';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { soon } from '../../test/soon';
import type { Clip } from '../api/forms';
import { ClipStore } from './clipStore';
import { ClipError, fetchClip } from './fetchClip';

// so that nothing but what is tested tries again in time
vi.mock('../lib/backoff', () => ({ backoffMs: () => 60_000 }));

const bytes = new TextEncoder().encode('a film of a page');
const clipAt = (url: string): Clip => ({
  url,
  bytes: bytes.length,
  digest: createHmac('sha256', url.replace('/clips/', '')).update(createHash('sha256').update(bytes).digest()).digest('hex'),
  width_px: 1280,
  height_px: 720,
  frame_rate: 60,
  start_ms: 1000,
});
const fetchMock = vi.fn<typeof fetch>();
const page = new EventTarget();
const revoked = vi.fn<(url: string) => void>();
let urlCount = 0;

beforeEach(() => {
  fetchMock.mockReset();
  revoked.mockReset();
  urlCount = 0;
  vi.stubGlobal('fetch', fetchMock);
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
  URL.createObjectURL = () => `blob:${String((urlCount += 1))}`;
  URL.revokeObjectURL = revoked;
});

async function faultOf(response: Response | Error, clip = clipAt('/clips/a')): Promise<string> {
  if (response instanceof Error) fetchMock.mockRejectedValueOnce(response);
  else fetchMock.mockResolvedValueOnce(response);
  const error: unknown = await fetchClip(clip, { signal: new AbortController().signal, onProgress: () => undefined }).then(() => null, (reason: unknown) => reason);
  return error instanceof ClipError ? error.fault : 'none';
}

describe('fetching a clip', () => {
  it('returns the whole film and reports progress', async () => {
    const progress: number[] = [];
    fetchMock.mockResolvedValue(new Response(bytes));
    const blob = await fetchClip(clipAt('/clips/a'), { signal: new AbortController().signal, onProgress: (received) => progress.push(received) });
    expect([blob.size, blob.type, progress.at(-1)]).toEqual([bytes.length, 'video/mp4', bytes.length]);
  });

  it('distinguishes faults', async () => {
    expect(await faultOf(new Response(bytes.slice(1)))).toBe('incomplete');
    expect(await faultOf(new Response(bytes), { ...clipAt('/clips/a'), digest: '0'.repeat(64) })).toBe('damaged');
    expect(await faultOf(new Response(null, { status: 404 }))).toBe('gone');
    expect(await faultOf(new Response(null, { status: 503 }))).toBe('unreachable');
    expect(await faultOf(new TypeError('Failed to fetch'))).toBe('unreachable');
  });
});

describe('the clip store', () => {
  it('stores at most two clips, in the wanted order, and frees the others', async () => {
    fetchMock.mockImplementation(() => Promise.resolve(new Response(bytes)));
    const store = new ClipStore();
    const [a, b, c] = [clipAt('/clips/a'), clipAt('/clips/b'), clipAt('/clips/c')];
    store.want([a, b, c]);
    await soon(() => { expect(store.state('/clips/b').phase).toBe('ready'); });
    expect(fetchMock.mock.calls.map(([url]) => url)).toEqual(['/clips/a', '/clips/b']);
    expect(store.state('/clips/c').phase).toBe('loading');

    store.want([b, c]);
    await soon(() => { expect(store.state('/clips/c').phase).toBe('ready'); });
    expect(revoked.mock.calls).toEqual([['blob:1']]);
    expect(fetchMock).toHaveBeenCalledTimes(3);
  });

  it('does not load a clip that is no longer wanted', async () => {
    let answerFirst: (response: Response) => void = () => undefined;
    fetchMock.mockImplementationOnce(() => new Promise((resolve) => { answerFirst = resolve; }));
    fetchMock.mockImplementation(() => Promise.resolve(new Response(bytes)));
    const store = new ClipStore();
    store.want([clipAt('/clips/a'), clipAt('/clips/b')]);
    store.want([clipAt('/clips/c')]);
    answerFirst(new Response(bytes));
    await soon(() => { expect(store.state('/clips/c').phase).toBe('ready'); });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(fetchMock.mock.calls.map(([url]) => url)).toEqual(['/clips/a', '/clips/c']);
  });

  it('retries when the network returns, and reports the fault in the meantime', async () => {
    fetchMock.mockRejectedValueOnce(new TypeError('Failed to fetch')).mockResolvedValue(new Response(bytes));
    const store = new ClipStore();
    store.want([clipAt('/clips/a')]);
    await soon(() => { expect(store.state('/clips/a')).toMatchObject({ phase: 'loading', fault: 'unreachable', attempt: 1 }); });
    page.dispatchEvent(new Event('online'));
    await soon(() => { expect(store.state('/clips/a').phase).toBe('ready'); });
  });

  it('gives up on a clip that is gone', async () => {
    fetchMock.mockResolvedValue(new Response(null, { status: 404 }));
    const store = new ClipStore();
    store.want([clipAt('/clips/a')]);
    await soon(() => { expect(store.state('/clips/a')).toEqual({ phase: 'failed', fault: 'gone' }); });
  });
});
