import { Receiving } from './batches';
import { request } from './request';

/** The bytes as they are: their digest is the batch's identity. */
export function createBatch(manifest: Blob): Promise<Receiving> {
  return request(Receiving, '/api/batches', { method: 'POST', body: manifest, contentType: 'application/json' });
}
