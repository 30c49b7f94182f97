import { useSyncExternalStore } from 'react';

import type { Clip } from '../api/forms';
import { ClipStore, type ClipState } from './clipStore';

/** The only clip store of the page, because clips are large. */
export const clipStore = new ClipStore();

export function useClip(clip: Clip): ClipState {
  return useSyncExternalStore(clipStore.subscribe, () => clipStore.state(clip.url));
}
