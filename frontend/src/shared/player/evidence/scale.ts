import * as v from 'valibot';

import type { Size } from './evidence';

/** When the question may be answered: while the film plays, or once it has ended. */
export type AnswerFrom = 'start' | 'end';

/** The area available to a film: width without scroll bar, height, and device pixel ratio. */
export interface Viewport extends Size {
  device_pixel_ratio: number;
}

/** Minimum window width for a film, and minimum scales in CSS and device pixels per captured pixel. */
const Needs = v.object({
  min_width_px: v.optional(v.number(), 0),
  min_scale: v.optional(v.number(), 0),
  min_device_scale: v.optional(v.number(), 0),
});
export type Needs = v.InferOutput<typeof Needs>;

/** Parses the size requirements in a trial's parameters, which all kinds share. */
export function needsOf(params: unknown): Needs {
  return v.parse(Needs, params);
}

/** The smallest allowed scale in CSS pixels, for this device pixel ratio. */
export function leastScale({ min_scale, min_device_scale }: Needs, device_pixel_ratio: number): number {
  return Math.max(min_scale, min_device_scale / device_pixel_ratio);
}

/** Whether the whole film fits in this window at its smallest allowed size. */
export function hasRoom(captured: Size, needs: Needs, viewport: Viewport): boolean {
  return viewport.width_px >= needs.min_width_px && wholeIn(captured, viewport) >= leastScale(needs, viewport.device_pixel_ratio);
}

/** The smallest window that fits the film. */
export function roomFor(captured: Size, needs: Needs, device_pixel_ratio: number): Size {
  const scale = leastScale(needs, device_pixel_ratio);
  return { width_px: Math.max(needs.min_width_px, Math.ceil(captured.width_px * scale)), height_px: Math.ceil(captured.height_px * scale) };
}

/** Height of the page content around a film, in rem: header and situation, and with `start` also the question. */
const aroundRem = { end: 9, start: 24 };
/** A film is scaled down for the content around it, but not below this scale; then the page scrolls. */
const besideOthersAtLeast = 0.5;

interface Layout {
  answerFrom: AnswerFrom;
  /** CSS pixels */
  remPx: number;
  /** The smallest allowed scale. */
  least: number;
}

/**
 * Computes the scale of a film in CSS pixels per captured pixel. The film is as large as the window allows, completely
 * visible, and never larger than captured. In a low window it takes the whole height, and the page scrolls to it. The same
 * holds for a phone's film on a phone, unless the question is shown below it.
 */
export function stageScale(captured: Size, viewport: Size, { answerFrom, remPx, least }: Layout): number {
  const whole = wholeIn(captured, viewport);
  if (answerFrom === 'end' && isUpright(captured) && isUpright(viewport)) return whole;
  const besideOthers = (viewport.height_px - aroundRem[answerFrom] * remPx) / captured.height_px;
  return Math.min(whole, Math.max(besideOthers, besideOthersAtLeast, least));
}

function isUpright({ width_px, height_px }: Size): boolean {
  return height_px > width_px;
}

function wholeIn(captured: Size, viewport: Size): number {
  return Math.min(1, viewport.width_px / captured.width_px, viewport.height_px / captured.height_px);
}
