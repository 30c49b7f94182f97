import { describe, expect, it } from 'vitest';

import { hasRoom, leastScale, needsOf, roomFor, stageScale } from './scale';

const single = { width_px: 1280, height_px: 720 };
const pair = { width_px: 2576, height_px: 720 };
const end = { answerFrom: 'end', remPx: 16, least: 0 } as const;
const start = { answerFrom: 'start', remPx: 16, least: 0 } as const;
const of = (width_px: number, height_px: number) => ({ width_px, height_px });
const on = (width_px: number, height_px: number, device_pixel_ratio = 1) => ({ width_px, height_px, device_pixel_ratio });
const rate = needsOf({ min_scale: 0.2, min_device_scale: 0.48 });
const compare = needsOf({ min_width_px: 1024, min_scale: 0.48, min_device_scale: 0.48 });
/** Of a window of 1280 CSS pixels, whose scroll bar takes 15. */
const small = on(1280 - 15, 600);

describe('the size of a film on the page', () => {
  it('is never larger than it was captured', () => {
    expect(stageScale(single, of(3840, 2160), end)).toBe(1);
  });

  it('goes from edge to edge', () => {
    expect(stageScale(pair, small, end)).toBeCloseTo(1265 / 2576, 6);
    expect(stageScale(single, of(390, 844), end)).toBeCloseTo(390 / 1280, 6);
  });

  it('leaves room for the content around it, but uses the whole height rather than less than half size', () => {
    expect(stageScale(single, of(1920, 600), end)).toBeCloseTo((600 - 144) / 720, 6);
    expect(stageScale(single, of(1920, 450), end)).toBe(0.5);
    expect(stageScale(single, of(1920, 300), end)).toBeCloseTo(300 / 720, 6);
    expect(stageScale(single, of(1920, 450), { ...end, least: 0.6 })).toBe(0.6);
  });

  it('follows the width where the page is zoomed', () => {
    // 1366 x 768 at 200 and at 400 %
    expect(stageScale(single, of(683, 384), end)).toBe(0.5);
    expect(stageScale(single, of(342, 192), end) * 1280).toBeCloseTo(341.3, 1);
  });

  it("is the original size for a phone's film on a phone, regardless of the content around it", () => {
    const phone = of(411, 823);
    expect(stageScale(phone, of(412, 915), end)).toBe(1);
    expect(stageScale(phone, of(390, 844), end)).toBeCloseTo(390 / 411, 6);
    expect(stageScale(phone, of(412, 740), end)).toBeCloseTo(740 / 823, 6);
    // on a laptop, and above a question that is there from the start, others have room
    expect(stageScale(phone, of(1440, 900), end)).toBeCloseTo((900 - 144) / 823, 6);
    expect(stageScale(phone, of(412, 915), start)).toBeCloseTo((915 - 384) / 823, 6);
  });

  it('leaves room for a question that is shown from the start, but keeps at least half size', () => {
    expect(stageScale(single, of(1920, 1000), start)).toBeCloseTo((1000 - 384) / 720, 6);
    expect(stageScale(single, of(1920, 700), start)).toBe(0.5);
    expect(stageScale(single, of(1920, 300), start)).toBeCloseTo(300 / 720, 6);
  });
});

describe('the room for a film', () => {
  it('has a minimum size in CSS and in device pixels, which both apply', () => {
    expect(leastScale(rate, 1)).toBe(0.48);
    expect(leastScale(rate, 2)).toBe(0.24);
    expect(leastScale(rate, 3)).toBe(0.2);
    expect(leastScale(needsOf({}), 1)).toBe(0);
  });

  it('is there for a comparison in a window of 1280 x 600 with its scroll bar', () => {
    expect(hasRoom(pair, compare, small)).toBe(true);
    expect(hasRoom(pair, compare, on(1237, 346))).toBe(true);
    expect(hasRoom(pair, compare, on(1236, 346))).toBe(false);
    expect(hasRoom(pair, compare, on(1237, 345))).toBe(false);
    expect(roomFor(pair, compare, 1)).toEqual(of(1237, 346));
  });

  it('is not made by zooming out', () => {
    // 1000 device pixels wide at 67 %
    expect(hasRoom(pair, compare, on(1492, 900, 0.67))).toBe(false);
  });

  it('is there for a rating on a phone held upright with two device pixels per CSS pixel', () => {
    expect(hasRoom(single, rate, on(350, 700, 3))).toBe(true);
    expect(hasRoom(single, rate, on(320, 568, 2))).toBe(true);
    expect(hasRoom(single, rate, on(360, 640, 1.5))).toBe(false);
    expect(hasRoom(single, rate, on(640, 360, 1.5))).toBe(true);
    expect(hasRoom(single, rate, on(342, 160, 4))).toBe(true);
    expect(hasRoom(single, rate, on(500, 400, 1))).toBe(false);
    expect(hasRoom(pair, compare, on(844, 390, 3))).toBe(false);
  });

  it('has the width that the study asks for', () => {
    expect(hasRoom(single, compare, on(1023, 900))).toBe(false);
    expect(roomFor(single, compare, 1)).toEqual(of(1024, 346));
    expect(hasRoom(single, compare, on(1024, 346))).toBe(true);
  });
});
