import { beforeAll, describe, expect, it } from 'vitest';

import { kindNames, loadKinds, trialKind } from './registry';

const text = { en: 'x', de: 'x' };
const labels = Array.from({ length: 7 }, () => text);
const params: Record<string, unknown> = {
  rate: { question: text, labels },
  compare: { question: text, sureness_labels: Array.from({ length: 5 }, () => text) },
  slider: { question: text, labels },
};

const upTo = (last: number, first: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

describe('the kinds of trial', () => {
  it('are loaded only if a session needs them; unknown kinds are ignored', async () => {
    expect(trialKind('rate', 2)).toBeNull();
    await loadKinds(['rate', 'rate', 'rank']);
    expect(trialKind('rate', 2)).not.toBeNull();
    expect(trialKind('compare', 2)).toBeNull();
    expect(trialKind('rank', 2)).toBeNull();
  });

  describe('when loaded', () => {
    beforeAll(() => loadKinds(kindNames));

    it('are the folders beside the registry, named after their folders', () => {
      expect([...kindNames].sort()).toEqual(['compare', 'rate', 'slider']);
      expect(kindNames.map((name) => trialKind(name, 2)?.kind)).toEqual(kindNames);
    });

    it('take every answer that their question allows', () => {
      const taken = (kind: string, answers: unknown[]) => answers.filter((data) => trialKind(kind, 2)?.isData(data)).length;
      expect(taken('rate', upTo(7, 1).map((score) => ({ score })))).toBe(7);
      expect(taken('compare', ['left', 'right', 'none'].flatMap((choice) => upTo(5, 1).map((sureness) => ({ choice, sureness }))))).toBe(15);
      expect(taken('slider', upTo(100, 0).map((value) => ({ value })))).toBe(101);
    });

    it('are found by kind and version only', () => {
      expect(trialKind('rate', 1)).toBeNull();
    });

    it('refuse parameters of other kinds', () => {
      expect(() => trialKind('rate', 2)?.prepare({ question: text, labels: [text] })).toThrow();
      expect(() => trialKind('compare', 2)?.prepare(params['rate'])).toThrow();
      expect(() => trialKind('slider', 2)?.prepare({ question: text })).toThrow();
    });

    it('refuse data out of range', () => {
      expect([{ score: 0 }, { score: 8 }, { score: 3.5 }, {}].map((data) => trialKind('rate', 2)?.isData(data))).toEqual([false, false, false, false]);
      expect(trialKind('compare', 2)?.isData({ choice: 'both', sureness: 3 })).toBe(false);
      expect([{ value: -1 }, { value: 101 }, { value: null }, { value: 62.5 }].map((data) => trialKind('slider', 2)?.isData(data))).toEqual([false, false, false, true]);
    });
  });
});
