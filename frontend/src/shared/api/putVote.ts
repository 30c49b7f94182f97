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

const Receipt = v.object({ id: v.string(), position: v.number(), received_at: v.string() });

export function putVote(id: string, sessionId: string, body: VoteBody): Promise<v.InferOutput<typeof Receipt>> {
  return request(Receipt, `/api/session/votes/${id}`, { method: 'PUT', json: { session_id: sessionId, ...body } });
}
