import { ApiError } from '../api/error';

/** What the outbox does after a call: the server has it; try again; pause until a new session; or it will never be taken. */
export type Verdict = { act: 'done' } | { act: 'again' } | { act: 'stop' } | { act: 'refused'; reason: string };

export function verdictOn(error: unknown): Verdict {
  if (!(error instanceof ApiError)) return { act: 'again' };
  // another vote holds the position: the server has an answer to this trial
  if (error.code === 'already_answered') return { act: 'done' };
  if (error.status === 401 || error.code === 'no_session') return { act: 'stop' };
  // a 2xx in a strange form was still taken by the server, and a repeat is harmless; but nor would it end
  if (error.code === 'unexpected_answer') return { act: 'done' };
  if (error.retry) return { act: 'again' };
  return { act: 'refused', reason: error.message };
}
