import { useSyncExternalStore } from 'react';

import type { Clip } from '../api/forms';
import { ClipStore, type ClipState } from './clipStore';

/** The page's one store: clips are large, and two stores would hold four. */
export const clipStore = new ClipStore();

export function useClip(clip: Clip): ClipState {
  return useSyncExternalStore(clipStore.subscribe, () => clipStore.state(clip.url));
}
