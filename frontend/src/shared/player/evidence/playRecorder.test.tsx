import { readFileSync } from 'node:fs';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { PlayRecorder } from './playRecorder';

const clip = { width_px: 1280, height_px: 720, frame_rate: 50 };
const fields = Object.keys(
  (JSON.parse(readFileSync('../pipeline/eyelevel_core/contracts/play-evidence.1.schema.json', 'utf8')) as { properties: object }).properties,
).sort();
type Frame = Parameters<HTMLVideoElement['requestVideoFrameCallback']>[0];

let now = 0;
let video: HTMLVideoElement;
let onFrame: Frame | null = null;
let focused = true;
let visible = true;

beforeEach(() => {
  now = 1000;
  focused = true;
  visible = true;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  vi.spyOn(document, 'hasFocus').mockImplementation(() => focused);
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => (visible ? 'visible' : 'hidden'));
  video = document.createElement('video');
  video.getBoundingClientRect = () => ({ width: 640, height: 360 }) as DOMRect;
  video.requestVideoFrameCallback = (callback) => {
    onFrame = callback;
    return 1;
  };
  video.cancelVideoFrameCallback = () => { onFrame = null; };
});
afterEach(() => { onFrame = null; });

const fire = (event: string, target: EventTarget = video) => target.dispatchEvent(new Event(event));
/** Frames at true speed from here on, until the film is at `untilMs`. */
function frames(untilMs: number): void {
  for (let mediaMs = video.currentTime * 1000; mediaMs < untilMs; mediaMs += 20) {
    video.currentTime = (mediaMs + 20) / 1000;
    onFrame?.(now, { presentationTime: now, mediaTime: mediaMs / 1000, presentedFrames: Math.round(mediaMs / 20) + 1 } as VideoFrameCallbackMetadata);
    now += 20;
  }
}
function begin(): PlayRecorder {
  const recorder = new PlayRecorder(video, clip, 60);
  now += 30;
  fire('playing');
  return recorder;
}
function pass(ms: number): void {
  now += ms;
}

describe('the evidence of a play', () => {
  it('has the fields of its contract, and reports a clean play as clean', () => {
    const recorder = begin();
    frames(2000);
    const { evidence } = recorder.finish(true);
    expect(Object.keys(evidence).sort()).toEqual(fields);
    expect(evidence).toMatchObject({
      version: 1, media_ms: 2000, wall_ms: 2000, off_speed_ms: 0, off_speed: false, frames_presented: 100,
      stalls: [], hidden: [], unfocused: [], pauses: [], shown: { width_px: 640, height_px: 360, scale: 0.5, device_scale: 0.5 }, refresh_hz: 60, frame_callback: true, complete: true,
    });
  });

  // from the last picture on that came
  it('records a wait for data, and the resulting delay', () => {
    const recorder = begin();
    frames(1000);
    fire('waiting');
    pass(700);
    fire('playing');
    frames(2000);
    expect(recorder.finish(true).evidence).toMatchObject({ stalls: [{ at_ms: 980, ms: 720 }], off_speed_ms: 700, off_speed: true, wall_ms: 2700 });
  });

  it('records a standstill before the end', () => {
    const recorder = begin();
    frames(1000);
    pass(500);
    expect(recorder.finish(true).evidence.stalls).toHaveLength(1);
  });

  it('records neither the start as a wait nor the end as a pause', () => {
    const recorder = new PlayRecorder(video, clip, null);
    fire('waiting');
    now += 30;
    fire('playing');
    frames(1000);
    vi.spyOn(video, 'ended', 'get').mockReturnValue(true);
    fire('pause');
    expect(recorder.finish(true).evidence).toMatchObject({ stalls: [], pauses: [], refresh_hz: null });
  });

  it('records a pause as a pause, not as a stall', () => {
    const recorder = begin();
    frames(1000);
    fire('pause');
    pass(300);
    fire('playing');
    frames(2000);
    expect(recorder.finish(true).evidence).toMatchObject({ stalls: [], pauses: [{ at_ms: 1000, ms: 300 }], off_speed: true });
  });

  it('records from the start when the page was hidden or unfocused', () => {
    focused = false;
    const recorder = begin();
    frames(400);
    fire('focus', window);
    visible = false;
    fire('visibilitychange', document);
    pass(800);
    visible = true;
    fire('visibilitychange', document);
    video.currentTime = 1.2;
    frames(2000);
    expect(recorder.finish(true).evidence).toMatchObject({ unfocused: [{ at_ms: 0, ms: 400 }], hidden: [{ at_ms: 400, ms: 800 }], stalls: [] });
  });

  it('records the smallest size of the film', () => {
    const recorder = begin();
    video.getBoundingClientRect = () => ({ width: 320, height: 180 }) as DOMRect;
    fire('resize', window);
    video.getBoundingClientRect = () => ({ width: 640, height: 360 }) as DOMRect;
    expect(recorder.finish(false).evidence).toMatchObject({ shown: { scale: 0.25 }, complete: false });
  });

  it('records the smallest size in device pixels, which may be that of another screen', () => {
    vi.stubGlobal('devicePixelRatio', 2);
    const recorder = begin();
    vi.stubGlobal('devicePixelRatio', 1.5);
    fire('resize', window);
    vi.stubGlobal('devicePixelRatio', 3);
    video.getBoundingClientRect = () => ({ width: 512, height: 288 }) as DOMRect;
    expect(recorder.finish(true).evidence).toMatchObject({ shown: { width_px: 512, height_px: 288, scale: 0.4, device_scale: 0.75 } });
    vi.unstubAllGlobals();
  });

  it('states its coarser times if the browser does not report frames', () => {
    const old = document.createElement('video');
    const { evidence } = new PlayRecorder(old, clip, null).finish(true);
    expect(evidence).toMatchObject({ frame_callback: false, off_speed_ms: null, off_speed: false, frames_presented: null, frames_dropped: null });
  });

  it('stops recording at the end', () => {
    const recorder = begin();
    recorder.finish(true);
    expect(onFrame).toBeNull();
  });
});
