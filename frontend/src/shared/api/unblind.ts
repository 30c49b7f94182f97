import { Nothing, request } from './request';

/** From now on this person sees results by stack, also while the study is in the field; the server records it. */
export function unblind(sha256: string): Promise<undefined> {
  return request(Nothing, `/api/research/studies/${sha256}/unblind`, { method: 'POST' });
}
