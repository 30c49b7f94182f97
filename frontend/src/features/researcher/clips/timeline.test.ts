import { describe, expect, it } from 'vitest';

import { completeAt, placeOf, stepsOf, ticksOf } from './timeline';

const clip = { start_ms: 200, duration_ms: 2000 };
const side = { delay_ms: 0 };
const progress = [{ ms: 0, percent: 0 }, { ms: 300, percent: 40 }, { ms: 800, percent: 100 }];

describe('the time line of a clip', () => {
  it('places a moment after the lead-in and the delay of its side', () => {
    expect([placeOf(0, clip, side), placeOf(800, clip, side), placeOf(800, clip, { delay_ms: 600 })]).toEqual([10, 50, 80]);
  });

  it('has no place for what came after the video had ended', () => {
    expect([placeOf(1800, clip, side), placeOf(1801, clip, side)]).toEqual([100, null]);
  });

  it('draws the curve as steps from the beginning of the video to its end', () => {
    expect(stepsOf(progress, clip, side)).toBe('0,100 10,100 10,100 25,100 25,60 50,60 50,0 100,0');
  });

  it('stops the curve where the clip was cut off', () => {
    expect(stepsOf(progress, { start_ms: 200, duration_ms: 800 }, side)).toBe('0,100 25,100 25,100 62.5,100 62.5,60 100,60');
  });

  it('knows how complete the page is at each moment', () => {
    expect([-1, 0, 299, 300, 900].map((ms) => completeAt(ms, progress))).toEqual([0, 0, 0, 40, 100]);
  });

  it('counts in whole steps since navigation start, at most eight', () => {
    expect(ticksOf(clip)).toEqual([0, 500, 1000, 1500]);
    expect(ticksOf({ start_ms: 1000, duration_ms: 41_000 })).toEqual([0, 10_000, 20_000, 30_000, 40_000]);
  });
});
