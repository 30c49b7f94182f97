import { isPassing } from '../../../shared/api/error';
import type { Session } from '../../../shared/api/forms';
import { finishSession } from '../../../shared/api/participant';
import { sendLeftovers } from '../outbox/useOutbox';
import { recallSkipped } from '../steps/useDone';

/**
 * Ends what an earlier page was in the middle of, before the study decides whether the session goes on. Sends what that page left on this
 * device. Where the study takes nobody back, also finishes the session, which succeeds only if everything was answered. False where nothing changed.
 */
export async function settle({ id, comeback }: Session): Promise<boolean> {
  const sent = await sendLeftovers(id);
  if (comeback === 'resume') return sent;
  try {
    await finishSession(id, recallSkipped(id));
    return true;
  } catch (error) {
    // nobody is told that they cannot go on before the server has said that something is missing
    if (isPassing(error)) throw error;
    return false;
  }
}
