import { forgetKeys } from '../lib/storage';
import { type OutboxStore, openStore } from './store';

/** Removes what this browser keeps of a session: unsent answers, and what it remembers over reloads. */
export async function forgetSession(sessionId: string, open: () => Promise<OutboxStore> = openStore): Promise<void> {
  forgetKeys((key) => key.startsWith('eyelevel.') && key.endsWith(`.${sessionId}`));
  const store = await open();
  const mine = (await store.all()).filter((envelope) => envelope.session_id === sessionId);
  await Promise.all(mine.map((envelope) => store.remove(envelope.id)));
}
