import { useMemo, useSyncExternalStore } from 'react';

import type { Viewport } from './evidence/scale';

function subscribe(listener: () => void): () => void {
  addEventListener('resize', listener);
  return () => { removeEventListener('resize', listener); };
}

// without the place of the scroll bar, which the page keeps free (participant.css); 0 where nothing is laid out
const pageWidth = () => Math.round(document.documentElement.getBoundingClientRect().width) || window.innerWidth;

/** The part of the window that a film may take. */
export function useViewport(): Viewport {
  const width_px = useSyncExternalStore(subscribe, pageWidth);
  const height_px = useSyncExternalStore(subscribe, () => window.innerHeight);
  const device_pixel_ratio = useSyncExternalStore(subscribe, () => window.devicePixelRatio);
  return useMemo(() => ({ width_px, height_px, device_pixel_ratio }), [width_px, height_px, device_pixel_ratio]);
}

/** The size of one rem, which a person may have set in the browser. */
export function remPx(): number {
  const size = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  return size > 0 ? size : 16;
}
