import { describe, expect, it } from 'vitest';

import { seededRng } from '../shared/lib/rng';
import { trialKind } from './registry';

const text = { en: 'x', de: 'x' };
const params = {
  rate: { question: text, labels: Array.from({ length: 7 }, () => text) },
  compare: { question: text, min_width_px: 1024, sureness_labels: Array.from({ length: 5 }, () => text) },
};

function simulated(kind: 'rate' | 'compare'): unknown[] {
  const found = trialKind(kind, 1);
  if (found === null) throw new Error(`no kind ${kind}`);
  const trial = found.prepare(params[kind]);
  return Array.from({ length: 300 }, (_, seed) => {
    const data = trial.simulate(seededRng(seed));
    expect(found.isData(data)).toBe(true);
    return data;
  });
}
const distinct = (values: unknown[]) => new Set(values.map((value) => JSON.stringify(value))).size;

describe('the kinds of trial', () => {
  it('simulate a participant in every branch, always with data of their own kind', () => {
    expect(distinct(simulated('rate'))).toBe(7);
    expect(distinct(simulated('compare'))).toBe(15);
  });

  it('are found by kind and version only', () => {
    expect(trialKind('rate', 2)).toBeNull();
    expect(trialKind('rank', 1)).toBeNull();
  });

  it('refuse parameters that are not theirs', () => {
    expect(() => trialKind('rate', 1)?.prepare({ ...params.rate, labels: [text] })).toThrow();
    expect(() => trialKind('compare', 1)?.prepare(params.rate)).toThrow();
  });

  it('refuse data out of range', () => {
    expect([{ score: 0 }, { score: 8 }, { score: 3.5 }, {}].map((data) => trialKind('rate', 1)?.isData(data))).toEqual([false, false, false, false]);
    expect(trialKind('compare', 1)?.isData({ choice: 'both', sureness: 3 })).toBe(false);
  });

  it('need room only for two films side by side', () => {
    expect(trialKind('rate', 1)?.prepare(params.rate).minWidthPx).toBe(0);
    expect(trialKind('compare', 1)?.prepare(params.compare).minWidthPx).toBe(1024);
  });
});
