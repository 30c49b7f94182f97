import { beforeEach, describe, expect, it, vi } from 'vitest';

import { StimulusPlayer } from './createPlayer';

// all of video.js that the player needs, before a film that pauses and plays as browsers have it
vi.mock('video.js/core.es.js', () => ({
  default: (video: HTMLVideoElement) => ({
    on: (event: string, listener: () => void) => { video.addEventListener(event, listener); },
    one: (event: string, listener: () => void) => { video.addEventListener(event, listener, { once: true }); },
    play: () => video.play(),
    currentTime: (seconds: number) => { video.currentTime = seconds; },
    el: () => document.createElement('div'),
    dispose: () => undefined,
  }),
}));

const events = { onReady: vi.fn(), onEnded: vi.fn(), onFault: vi.fn(), onHeld: vi.fn() };
let film: HTMLVideoElement;
let paused = true;
let asked: { reject: (error: DOMException) => void }[] = [];
const aborted = new DOMException('interrupted by a call to pause()', 'AbortError');
const notAllowed = new DOMException('not by a person', 'NotAllowedError');
const settle = () => new Promise((resolve) => setTimeout(resolve));

/** As a browser does: the pause is told first, then what was asked for by then is refused. */
async function pause(): Promise<void> {
  const before = [...asked];
  paused = true;
  film.dispatchEvent(new Event('pause'));
  for (const call of before) call.reject(aborted);
  await settle();
}
const refuse = async () => {
  paused = true;
  asked.at(-1)?.reject(notAllowed);
  await settle();
};
const looksAway = (away: boolean) => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(away ? 'hidden' : 'visible');
  document.dispatchEvent(new Event('visibilitychange'));
};

function newPlayer(width = 64): StimulusPlayer {
  vi.spyOn(HTMLVideoElement.prototype, 'videoWidth', 'get').mockReturnValue(width);
  vi.spyOn(HTMLMediaElement.prototype, 'paused', 'get').mockImplementation(() => paused);
  vi.spyOn(HTMLMediaElement.prototype, 'pause').mockImplementation(() => { void pause(); });
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockImplementation(() => {
    paused = false;
    return new Promise((_resolve, reject) => { asked.push({ reject }); });
  });
  const player = new StimulusPlayer(document.createElement('div'), 'blob:film', events);
  film = player.video;
  return player;
}

beforeEach(() => {
  paused = true;
  asked = [];
  for (const event of Object.values(events)) event.mockReset();
});

describe('a film that a person cannot control', () => {
  it('resumes automatically, however often it is paused', async () => {
    newPlayer().play();
    await pause();
    await pause();
    expect(asked).toHaveLength(3);
    expect(paused).toBe(false);
    expect([events.onHeld.mock.calls, events.onFault.mock.calls]).toEqual([[], []]);
  });

  it('reports that the browser blocks it, which is not a fault', async () => {
    newPlayer().play();
    await refuse();
    expect(events.onHeld).toHaveBeenCalledTimes(1);
    expect(events.onFault).not.toHaveBeenCalled();
  });

  it('also reports that the browser does not let it resume', async () => {
    newPlayer().play();
    await pause();
    await refuse();
    expect(events.onHeld).toHaveBeenCalledTimes(1);
    await pause();
    expect(asked).toHaveLength(2);
  });

  it('resumes only when visible if it was paused while hidden', async () => {
    newPlayer().play();
    looksAway(true);
    await pause();
    expect(asked).toHaveLength(1);
    expect(events.onHeld).not.toHaveBeenCalled();
    looksAway(false);
    expect(asked).toHaveLength(2);
  });

  it('is unlocked within a user action, without an event', async () => {
    const player = newPlayer();
    player.unlock();
    await settle();
    expect([asked.length, paused]).toEqual([1, true]);
    expect(Object.values(events).flatMap((event) => event.mock.calls)).toEqual([]);
    player.play();
    expect(asked).toHaveLength(2);
  });

  it('is ready when it has a picture, and a fault without one or with an error of the browser', () => {
    newPlayer();
    film.dispatchEvent(new Event('loadeddata'));
    expect([events.onReady.mock.calls.length, events.onFault.mock.calls.length]).toEqual([1, 0]);
    newPlayer(0);
    film.dispatchEvent(new Event('loadeddata'));
    expect([events.onReady.mock.calls.length, events.onFault.mock.calls.length]).toEqual([1, 1]);
    film.dispatchEvent(new Event('error'));
    expect(events.onFault).toHaveBeenCalledTimes(2);
  });

  it('is also ready if its first picture appears only during playback', () => {
    vi.useFakeTimers();
    newPlayer();
    film.dispatchEvent(new Event('loadedmetadata'));
    expect(events.onReady).not.toHaveBeenCalled();
    vi.advanceTimersByTime(3000);
    film.dispatchEvent(new Event('loadeddata'));
    expect(events.onReady).toHaveBeenCalledTimes(1);
    vi.useRealTimers();
  });
});
