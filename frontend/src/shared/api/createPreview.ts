import type { NewSession } from './createSession';
import { request } from './request';
import { Session } from './session';

/** A researcher's own way through a study; nothing of it is stored as data. */
export function createPreview(slug: string, body: NewSession): Promise<Session> {
  return request(Session, `/api/research/fieldings/${encodeURIComponent(slug)}/preview`, { method: 'POST', json: body });
}
