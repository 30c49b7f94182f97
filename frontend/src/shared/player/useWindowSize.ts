import { useMemo, useSyncExternalStore } from 'react';

import type { Size } from './evidence';

function subscribe(listener: () => void): () => void {
  addEventListener('resize', listener);
  return () => { removeEventListener('resize', listener); };
}

/** The size of the window, in CSS pixels. */
export function useWindowSize(): Size {
  const width_px = useSyncExternalStore(subscribe, () => window.innerWidth);
  const height_px = useSyncExternalStore(subscribe, () => window.innerHeight);
  return useMemo(() => ({ width_px, height_px }), [width_px, height_px]);
}

/** The size of one rem, which a person may have set in the browser. */
export function remPx(): number {
  const size = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  return size > 0 ? size : 16;
}
