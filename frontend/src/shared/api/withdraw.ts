import { request } from './request';
import { Withdrawn } from './withdrawals';

/** Who withdraws: this browser's session, or the one with a completion code. */
export type Withdrawing = { session_id: string } | { completion_code: string };

export function withdraw(who: Withdrawing): Promise<Withdrawn> {
  return request(Withdrawn, '/api/withdrawals', { method: 'POST', json: who });
}
