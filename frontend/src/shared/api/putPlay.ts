import * as v from 'valibot';

import type { PlayRecord } from '../player/evidence';
import { request } from './request';

/** One playback of a trial's clip, with what proves how it played. */
export interface PlayBody extends PlayRecord {
  position: number;
  replay: boolean;
}

const receiptOf = (id: string) => v.object({ id: v.literal(id), received_at: v.string() });

export function putPlay(id: string, sessionId: string, body: PlayBody): Promise<v.InferOutput<ReturnType<typeof receiptOf>>> {
  return request(receiptOf(id), `/api/session/plays/${id}`, { method: 'PUT', json: { session_id: sessionId, ...body } });
}
