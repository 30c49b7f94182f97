import { ApiError } from '../api/error';

/** The reason why nothing more can be sent: the session is unknown to the server, or replaced by another session. */
export type Loss = 'ended' | 'other_session';

/** What the outbox does after a call: `done` (the server has the entry), `again` (retry), `stop` (keep it, send no more), `refused` (rejected permanently). */
export type Verdict = { act: 'done' } | { act: 'again' } | { act: 'stop'; loss: Loss } | { act: 'refused'; reason: string };

export function lossOf(error: unknown): Loss | null {
  if (!(error instanceof ApiError) || error.foreign) return null;
  if (error.code === 'other_session' || error.code === 'restarted') return 'other_session';
  return error.status === 401 || error.code === 'no_session' ? 'ended' : null;
}

export function verdictOn(error: unknown): Verdict {
  if (!(error instanceof ApiError)) return { act: 'again' };
  // the server already has a vote on this trial
  if (error.code === 'already_answered') return { act: 'done' };
  const loss = lossOf(error);
  if (loss !== null) return { act: 'stop', loss };
  // a response in another form came from an intermediary, such as a hotel's captive portal
  if (error.retry || error.foreign) return { act: 'again' };
  return { act: 'refused', reason: error.message };
}
