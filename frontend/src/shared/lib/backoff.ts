/**
 * Waiting time before the next try, in ms: doubles from 1 s to at most 30 s, with jitter so that
 * many browsers that lost the same server do not come back together.
 *
 * @param attempt failures so far, from 1
 * @param random a value in [0, 1)
 */
export function backoffMs(attempt: number, random: number): number {
  const ceiling = Math.min(30_000, 1000 * 2 ** Math.max(0, attempt - 1));
  return Math.round(ceiling / 2 + (ceiling / 2) * random);
}
