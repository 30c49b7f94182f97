import * as v from 'valibot';

import { request } from './request';

/** The answer to one trial. `answer_ms`: from the end of the first play to the answer. */
export interface VoteBody {
  position: number;
  clip_sha256: string;
  kind: string;
  kind_version: number;
  data: unknown;
  replays: number;
  answer_ms: number;
  answered_at: string;
}

/** Only a receipt with the vote's own id says that the server has it. */
const receiptOf = (id: string) => v.object({ id: v.literal(id), position: v.number(), received_at: v.string() });

export function putVote(id: string, sessionId: string, body: VoteBody): Promise<v.InferOutput<ReturnType<typeof receiptOf>>> {
  return request(receiptOf(id), `/api/session/votes/${id}`, { method: 'PUT', json: { session_id: sessionId, ...body }, keepalive: true });
}
