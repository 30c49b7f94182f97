import { isPassing } from '../../../shared/api/error';
import type { Session } from '../../../shared/api/forms';
import { finishSession } from '../../../shared/api/participant';
import { sendLeftovers } from '../outbox/useOutbox';
import { recallSkipped } from '../steps/useDone';

/**
 * Completes pending work of an earlier page before the study decides whether the session continues. Sends the entries that
 * the page left on this device. If the study does not allow resuming, also finishes the session, which succeeds only if
 * everything was answered. False if nothing changed.
 */
export async function settle({ id, comeback }: Session): Promise<boolean> {
  const sent = await sendLeftovers(id);
  if (comeback === 'resume') return sent;
  try {
    await finishSession(id, recallSkipped(id));
    return true;
  } catch (error) {
    // do not block the person before the server has confirmed that answers are missing
    if (isPassing(error)) throw error;
    return false;
  }
}
