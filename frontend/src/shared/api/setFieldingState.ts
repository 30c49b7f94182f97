import { request } from './request';
import { Fielding, type FieldingState } from './studies';

export function setFieldingState(slug: string, state: FieldingState): Promise<Fielding> {
  return request(Fielding, `/api/research/fieldings/${encodeURIComponent(slug)}/state`, { method: 'POST', json: { state } });
}
