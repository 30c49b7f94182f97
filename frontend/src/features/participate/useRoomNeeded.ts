import type { Invitation } from '../../shared/api/forms';
import type { Size } from '../../shared/player/evidence';
import { remPx, useWindowSize } from '../../shared/player/useWindowSize';
import { trialKind } from '../../trials/registry';
import { hasRoom, roomFor } from './room';
import { useKinds } from './useKinds';

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
