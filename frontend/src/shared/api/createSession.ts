import { request } from './request';
import { Session } from './session';

export interface NewSession {
  language: 'en' | 'de';
  consent_version: string;
  screen: { width_px: number; height_px: number; device_pixel_ratio: number };
  recruit?: { id: string };
  /** Somebody else than who has begun in this browser. */
  anew?: boolean;
}

export function createSession(slug: string, body: NewSession): Promise<Session> {
  return request(Session, `/api/participate/${encodeURIComponent(slug)}/sessions`, { method: 'POST', json: body });
}
