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
  it('is yes where a film of their kind plays with a picture', async () => {
    expect(await decoding({ play: fires('ended') })).toBe('yes');
  });

  it('is no where the browser says so, where it reports an error, and where it plays without a picture', async () => {
    expect(await decoding({ type: '', play: fires('ended') })).toBe('no');
    expect(await decoding({ play: fires('error') })).toBe('no');
    expect(await decoding({ play: fires('ended'), width: 0 })).toBe('no');
  });

  it('is not known where nothing comes for long', async () => {
    vi.useFakeTimers();
    const told = decoding({ play: () => new Promise(() => undefined) });
    await soon(() => { expect(vi.getTimerCount()).toBe(1); });
    vi.advanceTimersByTime(8000);
    expect(await told).toBe('unknown');
  });

  it('is no where a film has come by then, but no picture', async () => {
    vi.useFakeTimers();
    vi.spyOn(HTMLMediaElement.prototype, 'readyState', 'get').mockReturnValue(HTMLMediaElement.HAVE_CURRENT_DATA);
    const told = decoding({ play: () => new Promise(() => undefined), width: 0 });
    await soon(() => { expect(vi.getTimerCount()).toBe(1); });
    vi.advanceTimersByTime(8000);
    expect(await told).toBe('no');
  });

  it('is asked of a page in a tab behind only once it is seen', async () => {
    const fetched = vi.fn(() => Promise.resolve(new Response('film')));
    vi.stubGlobal('fetch', fetched);
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    const play = vi.fn(fires('ended'));
    const told = decoding({ play });
    await soon(() => { expect(fetched).toHaveBeenCalled(); });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(play).not.toHaveBeenCalled();
    visibility.mockReturnValue('visible');
    document.dispatchEvent(new Event('visibilitychange'));
    expect(await told).toBe('yes');
  });

  it('is not known where the browser will not start by itself, or the probe cannot be had', async () => {
    expect(await decoding({ play: () => Promise.reject(new DOMException('no', 'NotAllowedError')) })).toBe('unknown');
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    expect(await decoding({ play: fires('ended') })).toBe('unknown');
  });
});
