import { beforeEach, describe, expect, it, vi } from 'vitest';

import { ApiError } from './error';
import { answer as answerOf, api, csrfToken } from './client';

const answer = (status: number, body: unknown) => new Response(body === undefined ? null : JSON.stringify(body), { status });
const fetchMock = vi.fn<(request: Request) => Promise<Response>>();
const read = () => answerOf(api.GET('/api/auth/me'));
const change = () => answerOf(api.POST('/api/auth/logout', {}));

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
  it('returns the body of the response, or undefined without one', async () => {
    fetchMock.mockResolvedValueOnce(answer(200, { username: 'ada', role: 'admin' })).mockResolvedValueOnce(answer(204, undefined));
    expect(await read()).toEqual({ username: 'ada', role: 'admin' });
    await expect(change()).resolves.toBeUndefined();
  });

  it('inserts encoded names into the path, and omits undefined query parameters', async () => {
    fetchMock.mockImplementation(() => Promise.resolve(answer(200, [])));
    await answerOf(api.GET('/api/research/studies/{sha256}', { params: { path: { sha256: 'a/b' } } }));
    await answerOf(api.GET('/api/audit', { params: { query: { study: null, before: 7 } } }));
    expect(fetchMock.mock.calls.map(([{ url }]) => url.slice(location.origin.length))).toEqual(['/api/research/studies/a%2Fb', '/api/audit?before=7']);
  });

  it('turns the error shape of the API into an ApiError', async () => {
    fetchMock.mockResolvedValue(answer(409, { error: { code: 'votes_missing', message: 'Three.', retry: false, details: { positions: [3] } } }));
    const error = await errorOf(read());
    expect(error).toMatchObject({ code: 'votes_missing', status: 409, retry: false, details: { positions: [3] }, message: 'Three.' });
  });

  it('treats a proxy\'s 502 as transient, and a 404 as final', async () => {
    fetchMock.mockResolvedValueOnce(new Response('<html>', { status: 502 })).mockResolvedValueOnce(new Response('<html>', { status: 404 }));
    expect((await errorOf(read())).retry).toBe(true);
    expect((await errorOf(read())).retry).toBe(false);
  });

  it('says "unreachable" without a network', async () => {
    fetchMock.mockRejectedValue(new TypeError('Failed to fetch'));
    expect(await errorOf(read())).toMatchObject({ code: 'unreachable', status: 0, retry: true });
  });

  it.each(['<html>Welcome to our hotel</html>', '{"username": "a', ''])('refuses %j, which is not JSON', async (body) => {
    fetchMock.mockResolvedValue(new Response(body, { status: 200 }));
    expect(await errorOf(read())).toMatchObject({ code: 'unexpected_answer', foreign: true });
  });

  it('refuses an incomplete response', async () => {
    const broken = new ReadableStream({ pull: (stream) => { stream.error(new TypeError('network error')); } });
    fetchMock.mockResolvedValue(new Response(broken, { status: 200 }));
    expect(await errorOf(read())).toMatchObject({ code: 'unexpected_answer', foreign: true });
  });

  it('repeats the CSRF cookie in a header when it changes something, and only then', async () => {
    document.cookie = 'csrftoken=t0k3n';
    fetchMock.mockImplementation(() => Promise.resolve(new Response(null, { status: 204 })));
    await change();
    await read();
    const sent = fetchMock.mock.calls.map(([request]) => request.headers.get('X-CSRFToken'));
    expect(sent).toEqual(['t0k3n', null]);
  });

  it('finds that cookie by its name over https', () => {
    const cookies = vi.spyOn(document, 'cookie', 'get').mockReturnValue('a=1; __Host-csrftoken=t0k3n');
    expect(csrfToken()).toBe('t0k3n');
    cookies.mockReturnValue('not-csrftoken=t0k3n');
    expect(csrfToken()).toBeNull();
    cookies.mockRestore();
  });
});

describe('a call without a response', () => {
  it('fails after the time limit, and may be retried', async () => {
    const late = new AbortController();
    vi.spyOn(AbortSignal, 'timeout').mockReturnValue(late.signal);
    fetchMock.mockImplementation(({ signal }) => new Promise((_, reject) => { signal.addEventListener('abort', () => { reject(new DOMException('late', 'TimeoutError')); }); }));
    const failure = errorOf(change());
    late.abort();
    expect(await failure).toMatchObject({ code: 'unreachable', retry: true });
  });

  it('ends with the abort of its caller, who may abort it instead', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout');
    const caller = new AbortController();
    fetchMock.mockImplementation(({ signal }) => new Promise((_, reject) => { signal.addEventListener('abort', () => { reject(new DOMException('stop', 'AbortError')); }); }));
    const call = answerOf(api.GET('/api/auth/me', { signal: caller.signal }));
    // the request is on its way after a turn
    await Promise.resolve();
    caller.abort();
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    expect(timeout).not.toHaveBeenCalled();
  });
});
