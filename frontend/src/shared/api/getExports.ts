import * as v from 'valibot';

import { Export } from './privacy';
import { request } from './request';

export function getExports(sha256: string): Promise<Export[]> {
  return request(v.array(Export), `/api/research/studies/${sha256}/exports`);
}
