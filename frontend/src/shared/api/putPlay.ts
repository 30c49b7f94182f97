import * as v from 'valibot';

import { request } from './request';

/** One playback of a trial's clip. Times of events are ms since the play began. */
export interface PlayBody {
  position: number;
  started_at: string;
  ended_at: string;
  replay: boolean;
  events: { at_ms: number; what: string }[];
  frames: { presented: number; dropped: number } | null;
}

const receiptOf = (id: string) => v.object({ id: v.literal(id), received_at: v.string() });

export function putPlay(id: string, sessionId: string, body: PlayBody): Promise<v.InferOutput<ReturnType<typeof receiptOf>>> {
  return request(receiptOf(id), `/api/session/plays/${id}`, { method: 'PUT', json: { session_id: sessionId, ...body } });
}
