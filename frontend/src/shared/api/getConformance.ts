import * as v from 'valibot';

import { Conformance, SessionVerdict } from './conformance';
import { request } from './request';

const pathOf = (sha256: string) => `/api/research/studies/${sha256}/conformance`;

export function getConformance(sha256: string): Promise<Conformance> {
  return request(Conformance, pathOf(sha256));
}

/** Every session of the study, in the order of their beginnings. */
export function getSessionVerdicts(sha256: string): Promise<SessionVerdict[]> {
  return request(v.array(SessionVerdict), `${pathOf(sha256)}/sessions`);
}

/** Where the owner downloads whom to pay, by a plain link. */
export function acceptedUrl(sha256: string): string {
  return `${pathOf(sha256)}/accepted.csv`;
}
