import type { Span } from '../../api/forms';

/** A presented frame: time, position in the clip, and the browser's count of frames so far. */
export interface FrameSample {
  wall_ms: number;
  media_ms: number;
  /** null if the browser does not report it */
  presented: number | null;
}

/** Pauses shorter than this are not visible as stalls. */
const stallFromMs = 100;
export function isStall({ ms }: Span): boolean {
  return ms >= stallFromMs;
}

/** Number of frames over which deviations are smoothed, because single late frames are jitter; more with coarser clocks. */
const smoothedOver = { counted: 5, uncounted: 9 };
/** Number of frames from which the usual offset between both clocks is estimated. */
const first = 15;

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

/**
 * Computes the largest deviation of elapsed time from the clip position, in ms; null if there are too few frames.
 *
 * The offset between both clocks in the first frames is display latency, and is subtracted.
 */
export function offSpeedMs(samples: readonly FrameSample[]): number | null {
  const size = samples.some((sample) => sample.presented === null) ? smoothedOver.uncounted : smoothedOver.counted;
  if (samples.length < 2 * first) return null;
  const offsets = samples.map((sample) => sample.wall_ms - sample.media_ms);
  const usual = median(offsets.slice(0, first));
  let worst = 0;
  for (let from = 0; from + size <= offsets.length; from += 1) {
    worst = Math.max(worst, Math.abs(median(offsets.slice(from, from + size)) - usual));
  }
  return worst;
}

/**
 * Finds gaps longer than three frames and 100 ms, and returns their time beyond one frame.
 *
 * A busy page misses callbacks of frames that were presented; the browser's frame count identifies these.
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
