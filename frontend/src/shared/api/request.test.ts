import * as v from 'valibot';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { ApiError } from './error';
import { csrfToken, Nothing, request } from './request';

const answer = (status: number, body: unknown) => new Response(body === undefined ? null : JSON.stringify(body), { status });
const fetchMock = vi.fn<typeof fetch>();

async function errorOf(call: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await call.then(() => null, (reason: unknown) => reason);
  if (!(error instanceof ApiError)) throw new Error('the call should have failed with an ApiError');
  return error;
}

beforeEach(() => {
  fetchMock.mockReset();
  vi.stubGlobal('fetch', fetchMock);
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});

describe('a call', () => {
  it('gives the parsed answer', async () => {
    fetchMock.mockResolvedValue(answer(200, { a: 1, more: true }));
    expect(await request(v.object({ a: v.number() }), '/x')).toEqual({ a: 1 });
  });

  it('turns the error shape of the API into an ApiError', async () => {
    fetchMock.mockResolvedValue(answer(409, { error: { code: 'votes_missing', message: 'Three.', retry: false, details: { positions: [3] } } }));
    const error = await errorOf(request(Nothing, '/x'));
    expect(error).toMatchObject({ code: 'votes_missing', status: 409, retry: false, details: { positions: [3] }, message: 'Three.' });
  });

  it('takes a proxy\'s own 502 for passing, and a 404 for final', async () => {
    fetchMock.mockResolvedValueOnce(new Response('<html>', { status: 502 })).mockResolvedValueOnce(new Response('<html>', { status: 404 }));
    expect((await errorOf(request(Nothing, '/x'))).retry).toBe(true);
    expect((await errorOf(request(Nothing, '/x'))).retry).toBe(false);
  });

  it('says "unreachable" without a network', async () => {
    fetchMock.mockRejectedValue(new TypeError('Failed to fetch'));
    expect(await errorOf(request(Nothing, '/x'))).toMatchObject({ code: 'unreachable', status: 0, retry: true });
  });

  it('refuses an answer in another form', async () => {
    fetchMock.mockResolvedValue(answer(200, { a: 'one' }));
    expect((await errorOf(request(v.object({ a: v.number() }), '/x'))).code).toBe('unexpected_answer');
  });

  it('repeats the CSRF cookie in a header when it changes something, and only then', async () => {
    document.cookie = 'csrftoken=t0k3n';
    fetchMock.mockImplementation(() => Promise.resolve(new Response(null, { status: 204 })));
    await request(Nothing, '/x', { method: 'POST', json: {} });
    await request(Nothing, '/x');
    const sent = fetchMock.mock.calls.map(([, init]) => new Headers(init?.headers).get('X-CSRFToken'));
    expect(sent).toEqual(['t0k3n', null]);
  });

  it('finds that cookie under its name over https', () => {
    const cookies = vi.spyOn(document, 'cookie', 'get').mockReturnValue('a=1; __Host-csrftoken=t0k3n');
    expect(csrfToken()).toBe('t0k3n');
    cookies.mockReturnValue('not-csrftoken=t0k3n');
    expect(csrfToken()).toBeNull();
    cookies.mockRestore();
  });
});

describe('a call that nobody answers', () => {
  it('is given up after a while, and may be made again', async () => {
    const late = new AbortController();
    vi.spyOn(AbortSignal, 'timeout').mockReturnValue(late.signal);
    fetchMock.mockImplementation((_path, init) => new Promise((_, reject) => { init?.signal?.addEventListener('abort', () => { reject(new DOMException('late', 'TimeoutError')); }); }));
    const failure = errorOf(request(Nothing, '/x', { method: 'PUT', json: {} }));
    late.abort();
    expect(await failure).toMatchObject({ code: 'unreachable', retry: true });
  });

  it('has all the time in the world when it carries a file', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout');
    fetchMock.mockResolvedValue(new Response(null, { status: 204 }));
    await request(Nothing, '/x', { method: 'PUT', body: new Blob(['film']) });
    expect(timeout).not.toHaveBeenCalled();
  });
});
