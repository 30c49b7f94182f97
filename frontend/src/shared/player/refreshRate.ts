import { median } from './frames';

const watchedMs = 500;
const intervalsAtLeast = 5;

/** The screen's refreshes per second from the times of repaints; null where they are too few. */
export function refreshHz(times_ms: readonly number[]): number | null {
  const intervals = times_ms.slice(1).map((time, index) => time - (times_ms[index] ?? time));
  if (intervals.length < intervalsAtLeast) return null;
  const usual = median(intervals);
  return usual > 0 ? Math.round(10_000 / usual) / 10 : null;
}

/** Watches repaints for half a second; a hidden page has none, so it gives up by a timer. */
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
