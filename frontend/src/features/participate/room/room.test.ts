import { describe, expect, it } from 'vitest';

import type { StudyText } from '../../../shared/api/forms';
import { needsOf, type Viewport } from '../../../shared/player/evidence/scale';
import { plainSession, plainTrial, studyText } from '../../../test/records';
import { type Device, extentOf, extentOfSession, remedyFor } from './room';

const single = { width_px: 1280, height_px: 720 };
const pair = { width_px: 2576, height_px: 720 };
const on = (width_px: number, height_px: number, device_pixel_ratio = 1): Viewport => ({ width_px, height_px, device_pixel_ratio });
const rate = { min_scale: 0.2, min_device_scale: 0.48 };
const compare = { min_width_px: 1024, min_scale: 0.48, min_device_scale: 0.48 };

const study: StudyText = {
  ...studyText,
  trial_count: 10,
  // 90 s before, and ten trials
  seconds: 90 + 6 * 12 + 4 * 20,
  room: [
    { kind: 'rate', clip: single, min_width_px: 0, ...rate, skippable: false, trials: 6, controls: 0, trial_s: 12 },
    { kind: 'compare', clip: pair, ...compare, skippable: true, trials: 4, controls: 0, trial_s: 20 },
  ],
};
const trials = [1, 2, 3, 4, 5, 6].map((position) => ({ ...plainTrial, position, clip: { ...plainTrial.clip, ...single }, params: rate }));
const pairs = [7, 8, 9].map((position) => ({ ...plainTrial, position, kind: 'compare', clip: { ...plainTrial.clip, ...pair }, params: compare }));

describe('the extent of a study in a window', () => {
  it('is complete if the window is large enough', () => {
    expect(extentOf(study, on(1265, 600))).toMatchObject({ count: 10, minutes: 5, leftOut: 0, required: [] });
  });

  it('is smaller if comparisons are left out', () => {
    expect(extentOf(study, on(390, 844, 3))).toMatchObject({ count: 6, minutes: 3, leftOut: 4, required: [] });
    expect(extentOf(study, on(390, 844, 3)).lacking).toMatchObject([{ clip: pair }]);
  });

  it('is an upper bound if control videos may be drawn for a block that is left out', () => {
    const withControls = (...controls: number[]): StudyText => ({
      ...study,
      trial_count: 10 + 2,
      seconds: study.seconds + 2 * 16,
      room: study.room.map((room, number) => ({ ...room, controls: controls[number] ?? 0 })),
    });
    const phone = on(390, 844, 3);
    // of ratings alone: none is left out
    expect(extentOf(withControls(2, 0), phone)).toMatchObject({ count: 8, minutes: 4, leftOut: 4, atMost: false });
    // of comparisons alone: all are
    expect(extentOf(withControls(0, 2), phone)).toMatchObject({ count: 6, minutes: 3, leftOut: 6, atMost: false });
    // of both: drawn once the session begins
    expect(extentOf(withControls(2, 2), phone)).toMatchObject({ count: 8, minutes: 4, leftOut: 4, atMost: true });
    expect(extentOf(withControls(2, 2), on(1265, 600))).toMatchObject({ count: 12, leftOut: 0, atMost: false });
  });

  it('requires room for trials that may not be skipped', () => {
    expect(extentOf(study, on(390, 844, 1))).toMatchObject({ leftOut: 4, required: [{ clip: single }] });
    const whole = { ...study, room: study.room.map((room) => ({ ...room, skippable: false })) };
    expect(extentOf(whole, on(390, 844, 3))).toMatchObject({ count: 10, leftOut: 0, required: [{ clip: pair }] });
  });

  it('requires room for at least one trial', () => {
    const pairsAlone = { ...study, trial_count: 4, room: study.room.slice(1) };
    expect(extentOf(pairsAlone, on(1000, 600)).required).toMatchObject([{ clip: pair }]);
    expect(extentOf(pairsAlone, on(1265, 600)).required).toEqual([]);
  });

  it('counts the trials of the session', () => {
    const session = { ...plainSession, study, trials: [...trials, ...pairs] };
    expect(extentOfSession(session, on(1265, 600))).toEqual({ count: 9, minutes: 5, leftOut: 0 });
    expect(extentOfSession(session, on(390, 844, 3))).toEqual({ count: 6, minutes: 4, leftOut: 3 });
  });
});

describe('the remedy for a window that is too small', () => {
  const phone: Device = { screen: { width_px: 390, height_px: 844 }, zoom: 1, turns: true };
  const laptop: Device = { screen: { width_px: 1366, height_px: 728 }, zoom: 1, turns: false };
  const lacking = (clip: typeof pair, needs: object) => [{ clip, needs: needsOf(needs) }];

  it('is to turn a phone only if it fits when turned', () => {
    expect(remedyFor(lacking(pair, compare), on(390, 844, 3), phone)).toBeNull();
    expect(remedyFor(lacking(single, { min_scale: 0.5 }), on(390, 844, 3), phone)).toBe('turn');
    expect(remedyFor(lacking(single, { min_scale: 0.5 }), on(390, 844, 3), { ...phone, turns: false })).toBeNull();
    // both at once are needed
    expect(remedyFor([...lacking(single, { min_scale: 0.5 }), ...lacking(pair, compare)], on(390, 844, 3), phone)).toBeNull();
  });

  it('is to enlarge a window if the screen is large enough', () => {
    expect(remedyFor(lacking(pair, compare), on(1000, 600), laptop)).toBe('enlarge');
    expect(remedyFor(lacking(pair, compare), on(1009, 600), { ...laptop, screen: { width_px: 1024, height_px: 728 } })).toBeNull();
  });

  it('is to reduce the zoom if only that helps', () => {
    expect(remedyFor(lacking(pair, compare), on(1079, 500, 1.25), { ...laptop, zoom: 1.25 })).toBe('unzoom');
    expect(remedyFor(lacking(pair, compare), on(800, 500, 1.25), { ...laptop, screen: { width_px: 1024, height_px: 728 }, zoom: 1.25 })).toBeNull();
  });
});
