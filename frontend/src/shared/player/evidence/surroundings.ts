import type { PlayEvidence, Size } from './evidence';
import { median } from './frames';
import { rounded } from './spans';

/** Estimates the zoom of the page: browser zoom times pinch zoom; null if implausible. */
export function zoomOf(outerWidthPx: number, innerWidthPx: number, pinch: number): number | null {
  if (outerWidthPx <= 0 || innerWidthPx <= 0) return null;
  const zoom = (outerWidthPx / innerWidthPx) * pinch;
  // outside the range of browsers; docked developer tools look like that
  return zoom < 0.2 || zoom > 8 ? null : Math.round(zoom * 100) / 100;
}

export function surroundings(): Pick<PlayEvidence, 'window' | 'screen' | 'device_pixel_ratio' | 'zoom'> {
  return {
    window: { width_px: innerWidth, height_px: innerHeight },
    screen: { width_px: screen.width, height_px: screen.height },
    device_pixel_ratio: devicePixelRatio,
    zoom: zoomOf(outerWidth, innerWidth, window.visualViewport?.scale ?? 1),
  };
}

/** The current size of the film on the page. */
export function shownAs(video: HTMLElement, captured: Size): PlayEvidence['shown'] {
  const { width, height } = video.getBoundingClientRect();
  const scale = width / captured.width_px;
  return { width_px: rounded(width), height_px: rounded(height), scale: thousandths(scale), device_scale: thousandths(scale * devicePixelRatio) };
}

/** The minimum of each scale: a film moved to another screen may lose device pixels but no CSS pixels. */
export function smaller(first: PlayEvidence['shown'], second: PlayEvidence['shown']): PlayEvidence['shown'] {
  return { ...(second.scale < first.scale ? second : first), device_scale: Math.min(first.device_scale, second.device_scale) };
}

function thousandths(value: number): number {
  return Math.round(value * 1000) / 1000;
}

const watchedMs = 500;
const intervalsAtLeast = 5;

/** Estimates the screen's refresh rate from the times of repaints; null if there are too few. */
export function refreshHz(times_ms: readonly number[]): number | null {
  const intervals = times_ms.slice(1).map((time, index) => time - (times_ms[index] ?? time));
  if (intervals.length < intervalsAtLeast) return null;
  const usual = median(intervals);
  return usual > 0 ? Math.round(10_000 / usual) / 10 : null;
}

/** Estimates the refresh rate from repaints during half a second. A timer ends it, because a hidden page has no repaints. */
export function estimateRefreshHz(): Promise<number | null> {
  return new Promise((resolve) => {
    const times: number[] = [];
    let handle = 0;
    const onFrame = (now: number) => {
      times.push(now);
      handle = requestAnimationFrame(onFrame);
    };
    handle = requestAnimationFrame(onFrame);
    setTimeout(() => {
      cancelAnimationFrame(handle);
      resolve(refreshHz(times));
    }, watchedMs);
  });
}
