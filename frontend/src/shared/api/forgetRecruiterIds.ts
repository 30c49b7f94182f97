import * as v from 'valibot';

import { request } from './request';

const Forgotten = v.object({ recruiter_ids: v.number() });

/** Deletes for good by whom the study's participants were recruited; `confirm` is the study's name. */
export function forgetRecruiterIds(sha256: string, confirm: string): Promise<v.InferOutput<typeof Forgotten>> {
  return request(Forgotten, `/api/research/studies/${sha256}/recruiter-ids/forget`, { method: 'POST', json: { confirm } });
}
