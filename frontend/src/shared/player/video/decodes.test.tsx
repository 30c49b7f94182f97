import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { soon } from '../../../test/soon';

/** What a browser's video element does with the probe. */
interface Browser {
  type?: string;
  play: (video: HTMLVideoElement) => Promise<void>;
  width?: number;
}

async function decoding({ type = 'probably', play, width = 64 }: Browser): Promise<string> {
  vi.spyOn(HTMLMediaElement.prototype, 'canPlayType').mockReturnValue(type as CanPlayTypeResult);
  vi.spyOn(HTMLMediaElement.prototype, 'load').mockImplementation(() => undefined);
  vi.spyOn(HTMLVideoElement.prototype, 'videoWidth', 'get').mockReturnValue(width);
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockImplementation(function (this: HTMLMediaElement) {
    return play(this as HTMLVideoElement);
  });
  vi.resetModules();
  return (await import('./decodes')).decodesClips();
}
const fires = (event: string) => (video: HTMLVideoElement) => {
  queueMicrotask(() => video.dispatchEvent(new Event(event)));
  return Promise.resolve();
};

beforeEach(() => {
  URL.createObjectURL = () => 'blob:probe';
  URL.revokeObjectURL = () => undefined;
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('film')));
});
afterEach(() => { vi.useRealTimers(); });

describe('whether a browser decodes clips', () => {
  it('is yes if a film of the same type plays with a picture', async () => {
    expect(await decoding({ play: fires('ended') })).toBe('yes');
  });

  it('is no if the browser says so, reports an error, or plays without a picture', async () => {
    expect(await decoding({ type: '', play: fires('ended') })).toBe('no');
    expect(await decoding({ play: fires('error') })).toBe('no');
    expect(await decoding({ play: fires('ended'), width: 0 })).toBe('no');
  });

  it('is unknown after a timeout', async () => {
    vi.useFakeTimers();
    const answer = decoding({ play: () => new Promise(() => undefined) });
    await soon(() => { expect(vi.getTimerCount()).toBe(1); });
    vi.advanceTimersByTime(8000);
    expect(await answer).toBe('unknown');
  });

  it('is no if the film was loaded by then without a picture', async () => {
    vi.useFakeTimers();
    vi.spyOn(HTMLMediaElement.prototype, 'readyState', 'get').mockReturnValue(HTMLMediaElement.HAVE_CURRENT_DATA);
    const answer = decoding({ play: () => new Promise(() => undefined), width: 0 });
    await soon(() => { expect(vi.getTimerCount()).toBe(1); });
    vi.advanceTimersByTime(8000);
    expect(await answer).toBe('no');
  });

  it('is tested in a background tab only when it is visible', async () => {
    const fetched = vi.fn(() => Promise.resolve(new Response('film')));
    vi.stubGlobal('fetch', fetched);
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    const play = vi.fn(fires('ended'));
    const answer = decoding({ play });
    await soon(() => { expect(fetched).toHaveBeenCalled(); });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(play).not.toHaveBeenCalled();
    visibility.mockReturnValue('visible');
    document.dispatchEvent(new Event('visibilitychange'));
    expect(await answer).toBe('yes');
  });

  it('is unknown if the browser refuses autoplay, or the probe cannot be fetched', async () => {
    expect(await decoding({ play: () => Promise.reject(new DOMException('no', 'NotAllowedError')) })).toBe('unknown');
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    expect(await decoding({ play: fires('ended') })).toBe('unknown');
  });
});
