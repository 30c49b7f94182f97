import { useMemo, useSyncExternalStore } from 'react';

import type { Viewport } from './evidence/scale';

function subscribe(listener: () => void): () => void {
  addEventListener('resize', listener);
  return () => { removeEventListener('resize', listener); };
}

// without the scroll bar, whose space the page reserves (participant.css); 0 without layout
const pageWidth = () => Math.round(document.documentElement.getBoundingClientRect().width) || window.innerWidth;

/** The part of the window that is available to a film. */
export function useViewport(): Viewport {
  const width_px = useSyncExternalStore(subscribe, pageWidth);
  const height_px = useSyncExternalStore(subscribe, () => window.innerHeight);
  const device_pixel_ratio = useSyncExternalStore(subscribe, () => window.devicePixelRatio);
  return useMemo(() => ({ width_px, height_px, device_pixel_ratio }), [width_px, height_px, device_pixel_ratio]);
}

/** The size of one rem in px, which depends on browser settings. */
export function remPx(): number {
  const size = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  return size > 0 ? size : 16;
}
