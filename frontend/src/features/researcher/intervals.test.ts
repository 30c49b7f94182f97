import { describe, expect, it } from 'vitest';

import type { MosOut, PointOut } from '../../shared/api/contract.gen';
import { ceilingOf, intervalOf } from './intervals';

const place = { site: 'garden', network: 'DSL', stack: 'QUIC' };
const point = (clip_sha256: string, mos: number): PointOut => ({
  ...place, clip_sha256, mos, n: 3, cls: null, dcl_ms: null, fcp_ms: null, fvc_ms: null, fvc_plain_ms: null, lcp_ms: null, lvc_ms: null, lvc_plain_ms: null,
  plt_ms: null, si_ms: 1200, si_plain_ms: null, tbt_ms: null, ttfb_ms: null, tti_ms: null, vc85_ms: null, vc85_plain_ms: null,
});
const row = (context: string, mos: number): MosOut => ({ ...place, context, n: 3, mos, ci_low: 4.1, ci_high: 5.9, sd: 1 });

describe('the interval of a clip', () => {
  it('is that of its condition where the condition has one clip and one context', () => {
    expect(intervalOf(point('a', 5), [point('a', 5)], [row('work', 5)])).toEqual([4.1, 5.9]);
  });

  it('is unknown where the condition has several clips or contexts, or another mean', () => {
    expect(intervalOf(point('a', 5), [point('a', 5), point('b', 5)], [row('work', 5)])).toBeNull();
    expect(intervalOf(point('a', 5), [point('a', 5)], [row('work', 5), row('plane', 5)])).toBeNull();
    expect(intervalOf(point('a', 5), [point('a', 5)], [row('work', 5.01)])).toBeNull();
    expect(intervalOf(point('a', 5), [point('a', 5)], [])).toBeNull();
    expect(intervalOf(point('a', 5), [point('a', 5)], [{ ...row('work', 5), ci_low: null, ci_high: null }])).toBeNull();
  });
});

describe('the ceiling', () => {
  it.each([
    ['above 6 in most conditions', [6.2, 6.9, 3], 'top'],
    ['above 6 in half of them', [6.2, 3], null],
    ['at 6', [6, 6], null],
    ['below 2 in most conditions', [1.5, 1.2, 4], 'bottom'],
    ['of no condition', [], null],
  ])('is told of means %s', (_which, means, told) => {
    expect(ceilingOf(means.map((mos) => ({ mos })))).toBe(told);
  });
});
