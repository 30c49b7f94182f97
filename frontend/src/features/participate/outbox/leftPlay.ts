import type { PlayBody } from '../../../shared/api/participant';
import { forgetKeys, recall, remember } from '../../../shared/lib/storage';
import type { Outbox } from '../../../shared/outbox/outbox';

const keyOf = (sessionId: string) => `eyelevel.left.${sessionId}`;

/**
 * Adds an interrupted play to the outbox. A page that is closing has no time for the outbox's store, so the play is also
 * saved synchronously. If the outbox did not get it, the session's next page recovers it.
 */
export async function sendLeftPlay(outbox: Outbox, sessionId: string, body: PlayBody): Promise<void> {
  remember(keyOf(sessionId), JSON.stringify(body));
  await outbox.add({ kind: 'play', body });
  forgetLeftPlay(sessionId);
}

/** Moves a play that the previous page saved into the outbox. */
export async function adoptLeftPlay(outbox: Outbox, sessionId: string): Promise<void> {
  const written = recall(keyOf(sessionId));
  if (written === null) return;
  const body = JSON.parse(written) as PlayBody;
  const isWaiting = outbox.getState().waiting.some((envelope) => envelope.kind === 'play' && envelope.body.started_at === body.started_at);
  if (isWaiting) forgetLeftPlay(sessionId);
  else await sendLeftPlay(outbox, sessionId, body);
}

function forgetLeftPlay(sessionId: string): void {
  forgetKeys((key) => key === keyOf(sessionId));
}
