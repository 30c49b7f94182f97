import * as v from 'valibot';

import { request } from './request';

const Finished = v.object({ completion_code: v.string(), return_url: v.nullish(v.string()) });

export function finishSession(sessionId: string, skipped: number[]): Promise<v.InferOutput<typeof Finished>> {
  return request(Finished, '/api/session/finish', { method: 'POST', json: { session_id: sessionId, skipped } });
}
