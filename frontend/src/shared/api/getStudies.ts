import * as v from 'valibot';

import { request } from './request';
import { Study } from './studies';

export function getStudies(): Promise<Study[]> {
  return request(v.array(Study), '/api/research/studies');
}
