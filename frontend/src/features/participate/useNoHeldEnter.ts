import { useEffect } from 'react';

/** A key that is held down presses one button, and not the one that the next page puts under the focus. */
export function useNoHeldEnter(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.repeat && event.key === 'Enter') event.preventDefault();
    };
    addEventListener('keydown', onKey, { capture: true });
    return () => { removeEventListener('keydown', onKey, { capture: true }); };
  }, []);
}
