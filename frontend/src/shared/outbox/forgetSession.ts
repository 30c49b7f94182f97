import { forgetKeys } from '../lib/storage';
import { type OutboxStore, openStore } from './store';

/** Removes the data of a session from this browser: unsent answers, receipts, and state stored across reloads. */
export async function forgetSession(sessionId: string, open: () => Promise<OutboxStore> = openStore): Promise<void> {
  forgetKeys((key) => key.startsWith('eyelevel.') && key.endsWith(`.${sessionId}`));
  const store = await open();
  await store.forget(sessionId);
}
