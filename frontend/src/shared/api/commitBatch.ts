import * as v from 'valibot';

import { request } from './request';

const Committed = v.object({ sha256: v.string(), state: v.string() });

export function commitBatch(sha256: string): Promise<v.InferOutput<typeof Committed>> {
  return request(Committed, `/api/batches/${sha256}/commit`, { method: 'POST', json: {} });
}
