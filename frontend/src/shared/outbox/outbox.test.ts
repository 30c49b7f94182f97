import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { playBody, voteBody } from '../../test/records';
import { ApiError, unreachable } from '../api/error';
import type { Deed, Envelope } from './envelope';
import { Outbox } from './outbox';
import { memoryStore, openStore } from './store';

const vote = (position: number): Deed => ({
  kind: 'vote',
  body: { ...voteBody, position },
});
const positions = (envelopes: readonly Envelope[]) => envelopes.map(({ body }) => body.position);
const send = vi.fn<(envelope: Envelope) => Promise<unknown>>();

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  send.mockReset();
});
afterEach(() => {
  vi.useRealTimers();
});

async function open(sessionId = 's1', store = memoryStore()) {
  return { store, outbox: await Outbox.open({ store, sessionId, send, random: () => 0 }) };
}
const settle = () => vi.advanceTimersByTimeAsync(0);

describe('the outbox', () => {
  it('keeps an envelope before it meets the network', async () => {
    const kept: number[] = [];
    const { store, outbox } = await open();
    send.mockImplementation(async () => {
      kept.push((await store.all()).length);
    });
    await outbox.add(vote(1));
    await settle();
    expect(kept).toEqual([1]);
    expect(await store.all()).toEqual([]);
    expect(outbox.getState().waiting).toEqual([]);
  });

  it('sends oldest first, one at a time, each once', async () => {
    send.mockResolvedValue(undefined);
    const { outbox } = await open();
    await Promise.all([outbox.add(vote(1)), outbox.add(vote(2)), outbox.add(vote(3))]);
    await settle();
    expect(send.mock.calls.map(([envelope]) => envelope.body.position)).toEqual([1, 2, 3]);
  });

  it('waits longer after each failure, repeats the same id, and says that it is troubled', async () => {
    send.mockRejectedValueOnce(unreachable()).mockRejectedValueOnce(unreachable()).mockResolvedValue(undefined);
    const { outbox } = await open();
    await outbox.add(vote(1));
    await settle();
    expect(outbox.getState().troubled).toBe(true);
    await vi.advanceTimersByTimeAsync(499);
    expect(send).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(send).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(999);
    expect(send).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(send).toHaveBeenCalledTimes(3);
    expect(new Set(send.mock.calls.map(([envelope]) => envelope.id)).size).toBe(1);
    expect(outbox.getState()).toMatchObject({ waiting: [], troubled: false });
  });

  it('tries at once when told that the network is back', async () => {
    send.mockRejectedValueOnce(unreachable()).mockResolvedValue(undefined);
    const { outbox } = await open();
    await outbox.add(vote(1));
    await settle();
    outbox.flush();
    await settle();
    expect(send).toHaveBeenCalledTimes(2);
  });

  it('takes "already answered" for settled', async () => {
    send.mockRejectedValue(new ApiError('already_answered', 'There is one.', 409, false));
    const { store, outbox } = await open();
    await outbox.add(vote(1));
    await settle();
    expect(await store.all()).toEqual([]);
    expect(outbox.getState().refused).toEqual([]);
  });

  it('keeps a refused vote with the server\'s sentence and goes on', async () => {
    send.mockRejectedValueOnce(new ApiError('invalid', 'data.score: 9 is not 1 to 7.', 422, false)).mockResolvedValue(undefined);
    const { outbox } = await open();
    await outbox.add(vote(1));
    await outbox.add(vote(2));
    await settle();
    expect(outbox.getState().waiting).toEqual([]);
    expect(outbox.getState().refused.map(({ refused }) => refused)).toEqual(['data.score: 9 is not 1 to 7.']);
  });

  it('stops, but loses nothing, when the session is gone', async () => {
    send.mockRejectedValue(new ApiError('no_session', 'Who?', 401, false));
    const { store, outbox } = await open();
    await outbox.add(vote(1));
    await settle();
    expect(outbox.getState().lost).toBe('ended');
    expect(positions(await store.all())).toEqual([1]);
  });

  it('stops, but loses nothing, when another tab began another session', async () => {
    send.mockRejectedValue(new ApiError('other_session', 'Another.', 409, false));
    const { store, outbox } = await open();
    await outbox.add(vote(1));
    await settle();
    expect(outbox.getState().lost).toBe('other_session');
    expect([positions(await store.all()), positions(outbox.getState().waiting)]).toEqual([[1], [1]]);
  });

  it('sends from memory when the device cannot keep it', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    send.mockResolvedValue(undefined);
    const { outbox } = await open('s1', { ...memoryStore(), put: () => Promise.reject(new Error('quota')) });
    await outbox.add(vote(1));
    await settle();
    expect(send).toHaveBeenCalledTimes(1);
  });
});

describe('after a reload', () => {
  it('goes on with what IndexedDB holds of this session, and of no other', async () => {
    vi.useRealTimers();
    send.mockRejectedValue(unreachable());
    const first = await open('mine', await openStore('reload'));
    await first.outbox.add(vote(1));
    await first.outbox.add({ kind: 'play', body: { ...playBody, position: 2 } });
    first.outbox.stop();
    const other = await open('theirs', await openStore('reload'));
    await other.outbox.add(vote(9));
    other.outbox.stop();

    send.mockReset();
    send.mockResolvedValue(undefined);
    const second = await open('mine', await openStore('reload'));
    await vi.waitFor(() => { expect(second.outbox.getState().waiting).toEqual([]); });
    expect(send.mock.calls.map(([envelope]) => envelope.body.position)).toEqual([1, 2]);
    expect(positions(await second.store.all())).toEqual([9]);
  });
});
