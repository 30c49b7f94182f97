import { beforeEach, describe, expect, it, vi } from 'vitest';

import { soon } from '../../../test/soon';
import { type Code, PlayerCode } from './playerCode';

// so that nothing but what is tested tries again in time
const PAUSE_MS = 60_000;
vi.mock('../../lib/backoff', () => ({ backoffMs: () => PAUSE_MS }));

const code = {} as Code;
const load = vi.fn<() => Promise<Code>>();
const loadFrom = vi.fn<(address: string) => Promise<Code>>();
const failed = (sentence: string) => new TypeError(sentence);

beforeEach(() => {
  load.mockReset();
  loadFrom.mockReset();
});

describe("the player's code", () => {
  it('is fetched once, however often it is requested', async () => {
    load.mockResolvedValue(code);
    const player = new PlayerCode(load, loadFrom);
    void player.fetch();
    void player.fetch();
    await soon(() => { expect(player.getState()).toEqual({ code, failures: 0 }); });
    expect(load).toHaveBeenCalledTimes(1);
  });

  it('is retried when the network returns, with a URL that is not cached as failed', async () => {
    load.mockRejectedValue(failed('Failed to fetch dynamically imported module: https://x.example/assets/createPlayer-a1.js'));
    loadFrom.mockRejectedValueOnce(failed('error loading dynamically imported module: https://x.example/assets/createPlayer-a1.js?again=1')).mockResolvedValue(code);
    const player = new PlayerCode(load, loadFrom);
    void player.fetch();
    await soon(() => { expect(player.getState()).toEqual({ code: null, failures: 1 }); });
    window.dispatchEvent(new Event('online'));
    await soon(() => { expect(player.getState().failures).toBe(2); });
    player.retry();
    await soon(() => { expect(player.getState().code).toBe(code); });
    expect(load).toHaveBeenCalledTimes(1);
    expect(loadFrom.mock.calls.flat()).toEqual(['https://x.example/assets/createPlayer-a1.js?again=1', 'https://x.example/assets/createPlayer-a1.js?again=2']);
  });

  it('is retried after a pause, also if the error contains no URL', async () => {
    vi.useFakeTimers();
    load.mockRejectedValueOnce(failed('Importing a module script failed.')).mockResolvedValue(code);
    const player = new PlayerCode(load, loadFrom);
    const fetched = player.fetch();
    await vi.advanceTimersByTimeAsync(PAUSE_MS);
    await fetched;
    expect([player.getState().code, load.mock.calls.length, loadFrom.mock.calls.length]).toEqual([code, 2, 0]);
    vi.useRealTimers();
  });
});
