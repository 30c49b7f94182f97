import type { ClipSideOut, ProgressOut, StudyClipDetailOut } from '../../../shared/api/contract.gen';

type Timed = Pick<StudyClipDetailOut, 'start_ms' | 'duration_ms'>;

/** The position in the video, in percent of its length, of a time since navigation start of a side; null after the end of the video. */
export function placeOf(ms: number, clip: Timed, side: Pick<ClipSideOut, 'delay_ms'>): number | null {
  const at = clip.start_ms + side.delay_ms + ms;
  return at > clip.duration_ms ? null : (100 * at) / clip.duration_ms;
}

/** The curve as points in a drawing of 100 x 100, with a step at each visual change. */
export function stepsOf(progress: readonly ProgressOut[], clip: Timed, side: Pick<ClipSideOut, 'delay_ms'>): string {
  const points: [number, number][] = [[0, 100]];
  let low = 100;
  for (const { ms, percent } of progress) {
    const x = placeOf(ms, clip, side);
    if (x === null) break;
    points.push([x, low], [x, 100 - percent]);
    low = 100 - percent;
  }
  points.push([100, low]);
  return points.map(([x, y]) => `${rounded(x)},${rounded(y)}`).join(' ');
}

/** Visual completeness in percent at a time since navigation start. */
export function completeAt(ms: number, progress: readonly ProgressOut[]): number {
  return progress.filter((point) => point.ms <= ms).at(-1)?.percent ?? 0;
}

/** At most eight axis ticks, in ms since navigation start. */
export function ticksOf(clip: Timed): number[] {
  const end = clip.duration_ms - clip.start_ms;
  const step = [100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000].find((ms) => end / ms <= 7) ?? 100_000;
  return Array.from({ length: Math.floor(end / step) + 1 }, (_, index) => index * step);
}

const rounded = (value: number) => String(Math.round(value * 100) / 100);
