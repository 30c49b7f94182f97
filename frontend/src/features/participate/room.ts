import type { Invitation, Trial } from '../../shared/api/forms';
import type { Size } from '../../shared/player/evidence';
import { stageScale, windowFor } from '../../shared/player/scale';
import { remPx, useWindowSize } from '../../shared/player/useWindowSize';
import type { PreparedTrial } from '../../trials/kind';
import { trialKind } from '../../trials/registry';
import { useKinds } from './SessionPage';

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

/** The window that a study needs where nobody begins without room; null where this one will do, or that is not known yet. */
export function useRoomNeeded(study: Invitation): Size | null {
  const rooms = study.room ?? [];
  const kinds = useKinds(rooms);
  const window = useWindowSize();
  if (!kinds.ready) return null;
  const lacking = rooms.flatMap((room) => {
    const needs = trialKind(room.kind, room.kind_version)?.prepare(room.params);
    return needs === undefined || hasRoom(room, needs, window, remPx()) ? [] : [roomFor(room.clip, needs, remPx())];
  });
  if (lacking.length === 0) return null;
  return { width_px: Math.max(...lacking.map((size) => size.width_px)), height_px: Math.max(...lacking.map((size) => size.height_px)) };
}
