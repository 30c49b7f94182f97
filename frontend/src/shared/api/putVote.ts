import * as v from 'valibot';

import { request } from './request';
import type { Span } from './span';

/**
 * The answer to one trial. `answer_ms`: from the end of the first play (or its start, where answers are taken from there)
 * to the last choice; `media_ms`: how far the clip had been seen by then. `away`: when the person was elsewhere between
 * the plays, in ms since the trial was first shown.
 */
export interface VoteBody {
  position: number;
  clip_sha256: string;
  kind: string;
  kind_version: number;
  data: unknown;
  replays: number;
  answer_ms: number;
  media_ms: number | null;
  away: Span[];
  answered_at: string;
}

/** Only a receipt with the vote's own id says that the server has it. */
const receiptOf = (id: string) => v.object({ id: v.literal(id), position: v.number(), received_at: v.string() });

export function putVote(id: string, sessionId: string, body: VoteBody): Promise<v.InferOutput<ReturnType<typeof receiptOf>>> {
  return request(receiptOf(id), `/api/session/votes/${id}`, { method: 'PUT', json: { session_id: sessionId, ...body }, keepalive: true });
}
