import * as v from 'valibot';

import { request } from './request';
import { Text } from './study';

/** `debriefing` says what the study was about; the server tells it with the code and not before. `return_url` leads back to the recruiter. */
export const Completion = v.object({ completion_code: v.string(), debriefing: v.nullish(Text), return_url: v.nullish(v.string()) });
export type Completion = v.InferOutput<typeof Completion>;

export function finishSession(sessionId: string, skipped: number[]): Promise<Completion> {
  return request(Completion, '/api/session/finish', { method: 'POST', json: { session_id: sessionId, skipped } });
}
