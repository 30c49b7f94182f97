import * as v from 'valibot';

import { request } from './request';

export const Entry = v.object({
  id: v.number(),
  at: v.string(),
  /** Null where a command on the server did it. */
  actor: v.nullable(v.string()),
  what: v.string(),
  kind: v.string(),
  target: v.string(),
  study_sha256: v.nullable(v.string()),
  details: v.record(v.string(), v.unknown()),
});
export type Entry = v.InferOutput<typeof Entry>;

/** `before` leads to the next page; null on the last one. */
export const AuditPage = v.object({ entries: v.array(Entry), before: v.nullable(v.number()) });
export type AuditPage = v.InferOutput<typeof AuditPage>;

export function getAudit(study: string | null, before: number | null): Promise<AuditPage> {
  const query = new URLSearchParams();
  if (study !== null) query.set('study', study);
  if (before !== null) query.set('before', String(before));
  return request(AuditPage, `/api/audit${query.size === 0 ? '' : `?${query.toString()}`}`);
}
