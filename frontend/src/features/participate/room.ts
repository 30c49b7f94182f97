import type { Trial } from '../../shared/api/forms';
import type { Size } from '../../shared/player/evidence';
import { stageScale, windowFor } from '../../shared/player/scale';
import type { PreparedTrial } from '../../trials/kind';

type Needs = Pick<PreparedTrial, 'minWidthPx' | 'minScale'>;

/** Whether a window is large enough for a trial: for its study's own width, and for its kind's share of the captured size. */
export function hasRoom(trial: { clip: Size; answer_from: Trial['answer_from'] }, { minWidthPx, minScale }: Needs, window: Size, remPx: number): boolean {
  return window.width_px >= minWidthPx && stageScale(trial.clip, window, { answerFrom: trial.answer_from, remPx }) >= minScale;
}

/** The smallest window that is large enough. */
export function roomFor(clip: Size, { minWidthPx, minScale }: Needs, remPx: number): Size {
  const { width_px, height_px } = windowFor(clip, minScale, { remPx });
  return { width_px: Math.max(width_px, minWidthPx), height_px };
}
