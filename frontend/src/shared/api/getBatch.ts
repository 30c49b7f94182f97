import { BatchDetail } from './batches';
import { request } from './request';

export function getBatch(sha256: string): Promise<BatchDetail> {
  return request(BatchDetail, `/api/batches/${sha256}`);
}

/** Where people with an account watch a clip. */
export function batchClipUrl(batch: string, clip: string): string {
  return `/api/batches/${batch}/clips/${clip}`;
}
