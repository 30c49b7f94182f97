import type { Span } from '../../api/forms';

/** A frame as it came to the screen: when, which moment of the clip it shows, and the browser's count of frames so far. */
export interface FrameSample {
  wall_ms: number;
  media_ms: number;
  /** null where the browser does not count them for us */
  presented: number | null;
}

/** A picture that stands for less than this is no stall that a person sees. */
const stallFromMs = 100;
export function isStall({ ms }: Span): boolean {
  return ms >= stallFromMs;
}

/** One frame late by one refresh is jitter; a departure counts when it lasts. With coarser clocks it must last longer. */
const smoothedOver = { counted: 5, uncounted: 9 };
/** So many frames tell how far both clocks are apart where nothing is wrong. */
const first = 15;

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

/**
 * The worst departure of the wall's clock from the clip's, in ms; null where too few frames were seen to tell.
 *
 * How long a frame takes to the screen is no departure: the distance of both clocks in the first frames counts as that.
 */
export function offSpeedMs(samples: readonly FrameSample[]): number | null {
  const size = samples.some((sample) => sample.presented === null) ? smoothedOver.uncounted : smoothedOver.counted;
  if (samples.length < 2 * first) return null;
  const apart = samples.map((sample) => sample.wall_ms - sample.media_ms);
  const usual = median(apart.slice(0, first));
  let worst = 0;
  for (let from = 0; from + size <= apart.length; from += 1) {
    worst = Math.max(worst, Math.abs(median(apart.slice(from, from + size)) - usual));
  }
  return worst;
}

/**
 * Where a picture stood longer than three frames and a tenth of a second, as time beyond its own frame.
 *
 * A page that is too busy misses calls about frames that did come; the browser's count tells these from frames that did not.
 */
export function standstills(samples: readonly FrameSample[], frameMs: number): Span[] {
  const limitMs = Math.max(stallFromMs, 3 * frameMs);
  return samples.slice(1).flatMap((sample, index) => {
    const before = samples[index];
    if (before === undefined) return [];
    const frames = sample.presented === null || before.presented === null ? 1 : Math.max(1, sample.presented - before.presented);
    const gapMs = sample.wall_ms - before.wall_ms;
    return gapMs / frames > limitMs ? [{ at_ms: before.wall_ms, ms: gapMs - frameMs }] : [];
  });
}
