import * as v from 'valibot';

import type { Size } from './evidence';

/** When the question may be answered: while the film plays, or once it has ended. */
export type AnswerFrom = 'start' | 'end';

/** What a film may have of the page: its width without the scroll bar, its height, and how fine its pixels are. */
export interface Viewport extends Size {
  device_pixel_ratio: number;
}

/** The smallest window for a film, and the smallest sizes at which it may be shown, in CSS and device pixels per captured pixel. */
const Needs = v.object({
  min_width_px: v.optional(v.number(), 0),
  min_scale: v.optional(v.number(), 0),
  min_device_scale: v.optional(v.number(), 0),
});
export type Needs = v.InferOutput<typeof Needs>;

/** What the parameters of any kind of trial say of its size. */
export function needsOf(params: unknown): Needs {
  return v.parse(Needs, params);
}

/** The smallest allowed scale in CSS pixels, on a screen with such pixels. */
export function leastScale({ min_scale, min_device_scale }: Needs, device_pixel_ratio: number): number {
  return Math.max(min_scale, min_device_scale / device_pixel_ratio);
}

/** Whether the whole film can be seen at once in this window, at its smallest allowed size at least. */
export function hasRoom(captured: Size, needs: Needs, viewport: Viewport): boolean {
  return viewport.width_px >= needs.min_width_px && wholeIn(captured, viewport) >= leastScale(needs, viewport.device_pixel_ratio);
}

/** The smallest window that has room. */
export function roomFor(captured: Size, needs: Needs, device_pixel_ratio: number): Size {
  const scale = leastScale(needs, device_pixel_ratio);
  return { width_px: Math.max(needs.min_width_px, Math.ceil(captured.width_px * scale)), height_px: Math.ceil(captured.height_px * scale) };
}

/** What the page has above and below a film, in rem: its head and the situation, and with `start` the question. */
const aroundRem = { end: 9, start: 24 };
/** A film is made smaller for what is around it, but not below this: then the page is scrolled. */
const besideOthersAtLeast = 0.5;

interface Layout {
  answerFrom: AnswerFrom;
  /** CSS pixels */
  remPx: number;
  /** The smallest allowed scale. */
  least: number;
}

/**
 * How large a film is shown, in CSS pixels per captured pixel: as large as the window allows, from edge to edge, whole in
 * view, and never larger than it was captured. In a low window it takes the whole height, and the page scrolls to it. So
 * does the film of a phone on a phone, which is shown at its own size wherever that fits, unless the question is below it.
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
