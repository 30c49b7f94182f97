import * as v from 'valibot';

import { Role } from './account';
import { Nothing, request } from './request';

export const Level = v.picklist(['read', 'edit']);
export type Level = v.InferOutput<typeof Level>;

export const Share = v.object({ username: v.string(), role: Role, level: Level, shared_at: v.string() });
export type Share = v.InferOutput<typeof Share>;

const path = (sha256: string) => `/api/research/studies/${sha256}/shares`;

export function getShares(sha256: string): Promise<Share[]> {
  return request(v.array(Share), path(sha256));
}

export function putShare(sha256: string, username: string, level: Level): Promise<Share> {
  return request(Share, `${path(sha256)}/${encodeURIComponent(username)}`, { method: 'PUT', json: { level } });
}

export function deleteShare(sha256: string, username: string): Promise<undefined> {
  return request(Nothing, `${path(sha256)}/${encodeURIComponent(username)}`, { method: 'DELETE' });
}
