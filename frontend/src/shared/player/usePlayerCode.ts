import { useEffect, useSyncExternalStore } from 'react';

import { type CodeState, playerCode } from './playerCode';

/** The player's code, asked for where it has not been before. */
export function usePlayerCode(): CodeState {
  useEffect(() => { void playerCode.fetch(); }, []);
  return useSyncExternalStore(playerCode.subscribe, playerCode.getState);
}
