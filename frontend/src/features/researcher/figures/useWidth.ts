import { type RefCallback, useCallback, useState } from 'react';

/** The width of an element in CSS pixels, kept up to date; 0 before it is known. */
export function useWidth(): [RefCallback<HTMLElement>, number] {
  const [width, setWidth] = useState(0);
  const ref = useCallback<RefCallback<HTMLElement>>((element) => {
    if (element === null) return;
    const observer = new ResizeObserver((entries) => {
      for (const entry of entries) setWidth(Math.floor(entry.contentRect.width));
    });
    observer.observe(element);
    return () => { observer.disconnect(); };
  }, []);
  return [ref, width];
}
