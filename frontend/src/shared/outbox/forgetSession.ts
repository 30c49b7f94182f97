import { forgetKeys } from '../lib/storage';
import { type OutboxStore, openStore } from './store';

/** Removes what this browser keeps of a session: unsent answers, receipts, and what it remembers over reloads. */
export async function forgetSession(sessionId: string, open: () => Promise<OutboxStore> = openStore): Promise<void> {
  forgetKeys((key) => key.startsWith('eyelevel.') && key.endsWith(`.${sessionId}`));
  const store = await open();
  await store.forget(sessionId);
}
