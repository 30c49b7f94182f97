import { describe, expect, it } from 'vitest';

import { stageScale, windowFor } from './scale';

const single = { width_px: 1280, height_px: 720 };
const pair = { width_px: 2576, height_px: 720 };
const end = { answerFrom: 'end', remPx: 16 } as const;
const start = { answerFrom: 'start', remPx: 16 } as const;
const of = (width_px: number, height_px: number) => ({ width_px, height_px });

describe('the size of a film on the page', () => {
  it('is never larger than it was captured', () => {
    expect(stageScale(single, of(3840, 2160), end)).toBe(1);
  });

  it('lets the whole film be seen', () => {
    expect(stageScale(single, of(1920, 500), end)).toBeCloseTo((500 - 144) / 720, 6);
    expect(stageScale(single, of(390, 844), end)).toBeCloseTo(350 / 1280, 6);
    expect(stageScale(single, of(200, 100), end)).toBe(0);
  });

  it('leaves room for a question that is there from the start, but half of the size at least', () => {
    expect(stageScale(single, of(1920, 1000), start)).toBeCloseTo((1000 - 384) / 720, 6);
    expect(stageScale(single, of(1920, 700), start)).toBe(0.5);
    expect(stageScale(single, of(1920, 450), start)).toBeCloseTo((450 - 144) / 720, 6);
  });

  it('is half at least in the window that is asked for, and less in any smaller one', () => {
    for (const layout of [start, end]) {
      const needed = windowFor(pair, 0.5, layout);
      expect(needed).toEqual(of(1344, 504));
      expect(stageScale(pair, needed, layout)).toBeGreaterThanOrEqual(0.5);
      expect(stageScale(pair, of(needed.width_px - 1, needed.height_px), layout)).toBeLessThan(0.5);
      expect(stageScale(pair, of(needed.width_px, needed.height_px - 1), layout)).toBeLessThan(0.5);
    }
  });
});
