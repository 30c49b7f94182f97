import { describe, expect, it } from 'vitest';

import { type FrameSample, median, offSpeedMs, standstills } from './frames';
import { refreshHz } from './surroundings';

const frameMs = 1000 / 60;
/** Frames of a 60 Hz clip: `at` says when a frame of that moment of the clip comes to the screen. */
const play = (at: (mediaMs: number) => number, seconds = 3): FrameSample[] =>
  Array.from({ length: seconds * 60 }, (_, index) => ({ wall_ms: 5000 + at(index * frameMs), media_ms: index * frameMs, presented: index + 1 }));

describe('the speed of a play', () => {
  it('is normal if every frame has the same display latency, however long', () => {
    expect(offSpeedMs(play((ms) => ms + 43))).toBeCloseTo(0, 6);
  });

  it('is not affected by single frames that are late by one refresh', () => {
    expect(offSpeedMs(play((ms) => ms + (Math.round(ms / frameMs) % 7 === 0 ? frameMs : 0)))).toBeLessThan(1);
  });

  it('is off by the time of a standstill', () => {
    expect(offSpeedMs(play((ms) => ms + (ms > 2000 ? 400 : 0)))).toBeCloseTo(400, 6);
  });

  it('is off if the film runs 2 % too fast', () => {
    expect(offSpeedMs(play((ms) => ms * 0.98))).toBeGreaterThan(50);
    expect(offSpeedMs(play((ms) => ms * 0.999))).toBeLessThan(frameMs);
  });

  it('is unknown for a few frames', () => {
    expect(offSpeedMs(play((ms) => ms).slice(0, 29))).toBeNull();
  });
});

describe('standstills', () => {
  it('are found where the picture stays the same while the film continues', () => {
    const frozen = play((ms) => ms).filter(({ media_ms }) => media_ms < 1000 || media_ms > 1300);
    const uncounted = frozen.map((sample, index) => ({ ...sample, presented: index + 1 }));
    const [stall, ...others] = standstills(uncounted, frameMs);
    expect(others).toEqual([]);
    expect(stall?.at_ms).toBeCloseTo(5983, 0);
    expect(stall?.ms).toBeCloseTo(1000 / 3 - frameMs, 6);
  });

  it('are none where the page only missed callbacks of presented frames', () => {
    const missed = play((ms) => ms).filter(({ media_ms }) => media_ms < 1000 || media_ms > 1300);
    expect(standstills(missed, frameMs)).toEqual([]);
  });

  it('last longer than three frames of a slow film', () => {
    const slow = [0, 200, 400, 1200].map((wall_ms, index) => ({ wall_ms, media_ms: wall_ms, presented: index }));
    expect(standstills(slow, 200)).toEqual([{ at_ms: 400, ms: 600 }]);
  });
});

describe('the refresh rate', () => {
  it('is that of the median interval, without effect of a slow one', () => {
    const times = Array.from({ length: 31 }, (_, index) => index * (1000 / 60) + (index > 20 ? 150 : 0));
    expect(refreshHz(times)).toBe(60);
  });

  it('is unknown if the page is not painted', () => {
    expect(refreshHz([1, 2, 3])).toBeNull();
  });
});

it('takes the middle', () => {
  expect([median([3, 1, 2]), median([4, 1, 3, 2]), median([])]).toEqual([2, 2.5, NaN]);
});
