import { beforeAll, describe, expect, it } from 'vitest';

import { seededRng } from '../shared/lib/rng';
import { kindNames, loadKinds, trialKind } from './registry';

const text = { en: 'x', de: 'x' };
const labels = Array.from({ length: 7 }, () => text);
const params: Record<string, unknown> = {
  rate: { question: text, labels },
  compare: { question: text, min_width_px: 1024, sureness_labels: Array.from({ length: 5 }, () => text) },
  slider: { question: text, labels },
};

function simulated(kind: string): unknown[] {
  const found = trialKind(kind, 1);
  if (found === null) throw new Error(`no kind ${kind}`);
  const trial = found.prepare(params[kind]);
  return Array.from({ length: 2000 }, (_, seed) => {
    const data = trial.simulate(seededRng(seed));
    expect(found.isData(data)).toBe(true);
    return data;
  });
}
const distinct = (values: unknown[]) => new Set(values.map((value) => JSON.stringify(value))).size;

describe('the kinds of trial', () => {
  it('are fetched only when a session asks for them, and unknown ones are nobody\'s fault', async () => {
    expect(trialKind('rate', 1)).toBeNull();
    await loadKinds(['rate', 'rate', 'rank']);
    expect(trialKind('rate', 1)).not.toBeNull();
    expect(trialKind('compare', 1)).toBeNull();
    expect(trialKind('rank', 1)).toBeNull();
  });

  describe('once they are there', () => {
    beforeAll(() => loadKinds(kindNames));

    it('are the folders beside the registry, each of its folder\'s name', () => {
      expect([...kindNames].sort()).toEqual(['compare', 'rate', 'slider']);
      expect(kindNames.map((name) => trialKind(name, 1)?.kind)).toEqual(kindNames);
    });

    it('simulate a participant in every branch, always with data of their own kind', () => {
      expect(distinct(simulated('rate'))).toBe(7);
      expect(distinct(simulated('compare'))).toBe(15);
      expect(distinct(simulated('slider'))).toBe(101);
    });

    it('are found by kind and version only', () => {
      expect(trialKind('rate', 2)).toBeNull();
    });

    it('refuse parameters that are not theirs', () => {
      expect(() => trialKind('rate', 1)?.prepare({ question: text, labels: [text] })).toThrow();
      expect(() => trialKind('compare', 1)?.prepare(params['rate'])).toThrow();
      expect(() => trialKind('slider', 1)?.prepare({ question: text })).toThrow();
    });

    it('refuse data out of range', () => {
      expect([{ score: 0 }, { score: 8 }, { score: 3.5 }, {}].map((data) => trialKind('rate', 1)?.isData(data))).toEqual([false, false, false, false]);
      expect(trialKind('compare', 1)?.isData({ choice: 'both', sureness: 3 })).toBe(false);
      expect([{ value: -1 }, { value: 101 }, { value: null }, { value: 62.5 }].map((data) => trialKind('slider', 1)?.isData(data))).toEqual([false, false, false, true]);
    });

    it('need room only for two films side by side', () => {
      expect(kindNames.map((name) => [name, trialKind(name, 1)?.prepare(params[name]).minWidthPx])).toEqual(
        kindNames.map((name) => [name, name === 'compare' ? 1024 : 0]),
      );
    });
  });
});
