import { afterEach, describe, expect, it, vi } from 'vitest';

import { putPlay, putVote } from './participant';
import { playBody, voteBody } from '../../test/records';

const calls = [
  ['a vote', () => putVote('mine', 's', voteBody)],
  ['a play', () => putPlay('mine', 's', playBody)],
] as const;

function answer(body: string) {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(body)));
}
const receipt = (id: string) => JSON.stringify({ id, position: 1, received_at: '2026-01-01T00:00:00Z' });

afterEach(() => { vi.unstubAllGlobals(); });

describe.each(calls)('%s', (_name, put) => {
  it('is confirmed only by its own receipt', async () => {
    answer(receipt('mine'));
    expect(await put()).toMatchObject({ id: 'mine' });
  });

  it.each([receipt('another'), '<html>Welcome to our hotel</html>'])('has not arrived with %s', async (body) => {
    answer(body);
    await expect(put()).rejects.toMatchObject({ code: 'unexpected_answer' });
  });
});
