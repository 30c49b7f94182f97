import { deleteDB, openDB } from 'idb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { playBody, voteBody } from '../../test/records';
import { ApiError, unreachable } from '../api/error';
import type { Envelope, OutboxEntry } from './envelope';
import { Outbox } from './outbox';
import { memoryStore, openStore } from './store';
import { soon } from '../../test/soon';

const vote = (position: number): OutboxEntry => ({
  kind: 'vote',
  body: { ...voteBody, position },
});
const positions = (envelopes: readonly Envelope[]) => envelopes.map(({ body }) => ('position' in body ? body.position : null));
const received = { received_at: '2026-01-01T00:00:01Z' };
const send = vi.fn<(envelope: Envelope) => Promise<{ received_at: string }>>();

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
  it('stores an envelope before sending it', async () => {
    const storedCounts: number[] = [];
    const { store, outbox } = await open();
    send.mockImplementation(async () => {
      storedCounts.push((await store.all()).length);
      return received;
    });
    await outbox.add(vote(1));
    await settle();
    expect(storedCounts).toEqual([1]);
    expect(await store.all()).toEqual([]);
    expect(outbox.getState().waiting).toEqual([]);
  });

  it('sends oldest first, one at a time, each once', async () => {
    send.mockResolvedValue(received);
    const { outbox } = await open();
    await Promise.all([outbox.add(vote(1)), outbox.add(vote(2)), outbox.add(vote(3))]);
    await settle();
    expect(positions(send.mock.calls.map(([envelope]) => envelope))).toEqual([1, 2, 3]);
  });

  it('waits longer after each failure, repeats the same id, and reports trouble', async () => {
    send.mockRejectedValueOnce(unreachable()).mockRejectedValueOnce(unreachable()).mockResolvedValue(received);
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

  it('retries immediately when the network is back', async () => {
    send.mockRejectedValueOnce(unreachable()).mockResolvedValue(received);
    const { outbox } = await open();
    await outbox.add(vote(1));
    await settle();
    outbox.flush();
    await settle();
    expect(send).toHaveBeenCalledTimes(2);
  });

  it('treats "already answered" as settled, and reports that another answer counts', async () => {
    send.mockRejectedValue(new ApiError('already_answered', 'There is one.', 409, false));
    const { store, outbox } = await open();
    await outbox.add(vote(1));
    await settle();
    expect(await store.all()).toEqual([]);
    expect(outbox.getState()).toMatchObject({ refused: [], overtaken: 1 });
  });

  it('reports an unsent answer of another tab that counts', async () => {
    send.mockImplementation(() => new Promise(() => undefined));
    const { store, outbox } = await open();
    const { outbox: late } = await open('s1', store);
    await outbox.add(vote(1));
    await late.add(vote(1));
    expect([outbox.getState().overtaken, late.getState().overtaken]).toEqual([0, 1]);
    expect(positions(await store.all())).toEqual([1]);
  });

  it('keeps a refused vote with the server\'s message and continues', async () => {
    send.mockRejectedValueOnce(new ApiError('invalid', 'data.score: 9 is not 1 to 7.', 422, false)).mockResolvedValue(received);
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
    send.mockResolvedValue(received);
    const { outbox } = await open('s1', { ...memoryStore(), put: () => Promise.reject(new Error('quota')) });
    await outbox.add(vote(1));
    await settle();
    expect(send).toHaveBeenCalledTimes(1);
  });
});

describe('receipts', () => {
  it('are kept for votes, under the id of the vote, when the server has it', async () => {
    send.mockRejectedValueOnce(unreachable()).mockResolvedValue(received);
    const { store, outbox } = await open();
    await outbox.add(vote(3));
    await settle();
    expect(await store.receipts()).toEqual([]);
    outbox.flush();
    await settle();
    const id = send.mock.calls[0]?.[0].id;
    expect(await store.receipts()).toEqual([{ id, session_id: 's1', position: 3, received_at: received.received_at, kept_at_ms: expect.any(Number) as number }]);
  });

  it('that the device cannot store do not block the end', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    send.mockResolvedValue(received);
    const { outbox } = await open('s1', { ...memoryStore(), settle: () => Promise.reject(new Error('quota')) });
    await outbox.add(vote(1));
    await settle();
    expect(outbox.getState()).toMatchObject({ waiting: [], troubled: false });
    expect(send).toHaveBeenCalledTimes(1);
  });
});

describe('what must not block a vote', () => {
  it('a play that the server fails to process', async () => {
    const broken = new ApiError('internal', 'Broken.', 500, true);
    send.mockImplementation((envelope) => (envelope.kind === 'play' ? Promise.reject(broken) : Promise.resolve(received)));
    const { outbox } = await open();
    await outbox.add({ kind: 'play', body: { ...playBody, position: 1 } });
    await outbox.add(vote(1));
    await vi.advanceTimersByTimeAsync(600);
    expect(outbox.getState().waiting.map(({ kind }) => kind)).toEqual(['play']);
  });

  it('a store that never responds', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    send.mockResolvedValue(received);
    const { outbox } = await open('s1', { ...memoryStore(), put: () => new Promise(() => undefined) });
    const added = outbox.add(vote(1));
    await vi.advanceTimersByTimeAsync(2999);
    expect(send).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await added;
    expect(send).toHaveBeenCalledTimes(1);
  });

  it('a store that never records a refusal', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    send.mockRejectedValueOnce(new ApiError('invalid', 'evidence.wall_ms: long is no number.', 422, false)).mockResolvedValue(received);
    const memory = memoryStore();
    const store = { ...memory, put: (envelope: Envelope) => (envelope.refused === null ? memory.put(envelope) : new Promise<boolean>(() => undefined)) };
    const { outbox } = await open('s1', store);
    await outbox.add({ kind: 'play', body: { ...playBody, position: 1 } });
    await outbox.add(vote(1));
    await vi.advanceTimersByTimeAsync(2999);
    expect(send).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(send.mock.calls.map(([{ kind }]) => kind)).toEqual(['play', 'vote']);
    expect([outbox.getState().waiting, positions(outbox.getState().refused)]).toEqual([[], [1]]);
  });
});

describe('a play and the vote that answers it', () => {
  const play = (position = 1) => ({ ...playBody, position });
  const sent = () => send.mock.calls.map(([envelope]) => [envelope.kind, envelope.kind === 'vote' ? envelope.body.play?.id : envelope.id]);

  it('are sent in one call, each with its own id', async () => {
    send.mockResolvedValue(received);
    const { store, outbox } = await open();
    await outbox.hold(play());
    const stored = await store.all();
    expect([stored.map(({ kind }) => kind), sent()]).toEqual([['play'], []]);
    await outbox.add(vote(1));
    await settle();
    expect(sent()).toEqual([['vote', stored[0]?.id]]);
    const { started_at, ended_at, replay, evidence } = playBody;
    expect(send.mock.calls[0]?.[0]).toMatchObject({ kind: 'vote', body: { play: { started_at, ended_at, replay, evidence } } });
    expect(send.mock.calls[0]?.[0].id).not.toBe(stored[0]?.id);
    expect([await store.all(), outbox.getState().waiting]).toEqual([[], []]);
  });

  it('are one stored entry, so that a crashed page leaves both', async () => {
    send.mockRejectedValue(unreachable());
    const { store, outbox } = await open();
    await outbox.hold(play());
    await outbox.add(vote(1));
    outbox.stop();
    expect((await store.all()).map(({ kind }) => kind)).toEqual(['vote']);
    send.mockReset();
    send.mockResolvedValue(received);
    await open('s1', store);
    await settle();
    expect(sent()).toEqual([['vote', expect.any(String)]]);
  });

  it('are sent separately if the person takes long, replays, leaves the page, or answers another trial', async () => {
    send.mockResolvedValue(received);
    const { outbox } = await open();
    await outbox.hold(play(1));
    await vi.advanceTimersByTimeAsync(29_999);
    expect(sent()).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    await outbox.hold(play(2));
    await outbox.hold(play(2));
    await settle();
    expect(sent()).toHaveLength(2);
    await outbox.add(vote(1));
    await settle();
    expect(sent().slice(2)).toEqual([['vote', undefined]]);
    await outbox.refresh();
    await settle();
    expect(sent()[3]).toEqual(['play', expect.any(String)]);
    expect(outbox.getState().waiting).toEqual([]);
  });

  it('a play whose page crashed before the answer is sent by the next page', async () => {
    const { store, outbox } = await open();
    await outbox.hold(play());
    outbox.stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(send).not.toHaveBeenCalled();
    send.mockResolvedValue(received);
    await open('s1', store);
    await settle();
    expect(sent()).toEqual([['play', expect.any(String)]]);
  });

  it.each([
    ['refuses', new ApiError('invalid', 'evidence.wall_ms: long is no number.', 422, false), 0],
    ['stumbles over', new ApiError('internal', 'Broken.', 500, true), 2000],
  ])('are parted where the server %s one, which then costs nothing of the other', async (_, error, wait) => {
    send.mockImplementation((envelope) =>
      envelope.kind === 'play' || (envelope.kind === 'vote' && envelope.body.play !== null) ? Promise.reject(error) : Promise.resolve(received),
    );
    const { store, outbox } = await open();
    await outbox.hold(play());
    await outbox.add(vote(1));
    await vi.advanceTimersByTimeAsync(wait);
    expect((await store.receipts()).map(({ position }) => position)).toEqual([1]);
    expect((await store.all()).map(({ kind, id }) => [kind, id])).toEqual([['play', sent()[0]?.[1]]]);
    expect(outbox.getState().waiting.length + outbox.getState().refused.length).toBe(1);
  });

  it('the play of a second tab is sent although its vote does not count', async () => {
    send.mockRejectedValueOnce(unreachable()).mockResolvedValue(received);
    const store = memoryStore();
    const [first, second] = [await open('s1', store), await open('s1', store)];
    await first.outbox.hold(play());
    await second.outbox.hold(play());
    const [, secondPlay] = await store.all();
    await first.outbox.add(vote(1));
    await second.outbox.add(vote(1));
    await vi.advanceTimersByTimeAsync(2000);
    expect(sent()).toContainEqual(['play', secondPlay?.id]);
    expect(await store.all()).toEqual([]);
  });

  it('are sent from memory when the device cannot keep them', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    send.mockResolvedValue(received);
    const { outbox } = await open('s1', { ...memoryStore(), put: () => new Promise(() => undefined) });
    void outbox.hold(play());
    void outbox.add(vote(1));
    await vi.advanceTimersByTimeAsync(3000);
    expect(sent()).toEqual([['vote', expect.any(String)]]);
    expect(outbox.getState().waiting).toEqual([]);
  });
});

describe('two tabs of one session', () => {
  it('store one vote on a trial in total', async () => {
    send.mockRejectedValue(unreachable());
    const store = memoryStore();
    const [first, second] = [await open('s1', store), await open('s1', store)];
    await first.outbox.add(vote(1));
    await second.outbox.add(vote(1));
    await second.outbox.add(vote(2));
    expect(positions(await store.all())).toEqual([1, 2]);
    // the second tab sends the first one's answer, under the first one's key
    expect(second.outbox.getState().waiting[0]?.id).toBe(first.outbox.getState().waiting[0]?.id);
  });

  it('find entries that the other tab left', async () => {
    send.mockRejectedValueOnce(unreachable()).mockResolvedValue(received);
    const store = memoryStore();
    const [first, second] = [await open('s1', store), await open('s1', store)];
    await first.outbox.add(vote(1));
    first.outbox.stop();
    await settle();
    await second.outbox.refresh();
    await settle();
    expect(await store.all()).toEqual([]);
    expect((await store.receipts()).map(({ position }) => position)).toEqual([1]);
  });

  it('may answer again a trial whose vote was refused', async () => {
    send.mockRejectedValueOnce(new ApiError('invalid', 'No.', 422, false)).mockResolvedValue(received);
    const { store, outbox } = await open();
    await outbox.add(vote(1));
    await settle();
    await outbox.add(vote(1));
    await settle();
    expect((await store.receipts()).map(({ position }) => position)).toEqual([1]);
  });
});

describe('after a reload', () => {
  it('continues with the entries of this session in IndexedDB, and no others', async () => {
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
    send.mockResolvedValue(received);
    const second = await open('mine', await openStore('reload'));
    await soon(() => { expect(second.outbox.getState().waiting).toEqual([]); });
    expect(positions(send.mock.calls.map(([envelope]) => envelope))).toEqual([1, 2]);
    expect(positions(await second.store.all())).toEqual([9]);
    expect((await second.store.receipts()).map(({ session_id, position }) => [session_id, position])).toEqual([['mine', 1]]);
  });

  it('reopens a database that the browser closed for a suspended page', async () => {
    vi.useRealTimers();
    send.mockRejectedValue(unreachable());
    const store = await openStore('closed');
    const newer = await openDB('closed', 3);
    newer.close();
    await deleteDB('closed');
    const { outbox } = await open('s1', store);
    await outbox.add(vote(1));
    outbox.stop();
    expect(outbox.getState().fleeting).toBe(false);
    expect(positions(await store.all())).toEqual([1]);
  });
});
