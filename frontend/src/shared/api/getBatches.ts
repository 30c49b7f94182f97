import * as v from 'valibot';

import { Batch } from './batches';
import { request } from './request';

export function getBatches(): Promise<Batch[]> {
  return request(v.array(Batch), '/api/batches');
}
