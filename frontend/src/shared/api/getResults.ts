import { request } from './request';
import { Results } from './results';

export function getResults(sha256: string): Promise<Results> {
  return request(Results, `/api/research/studies/${sha256}/results`);
}
