import { useEffect } from 'react';

/** Calls `onOpen` with the digest of the clip that a mark of a figure stands for, when the mark is clicked, or Enter or the space bar is pressed on it. */
export function useClipClicks(onOpen: (digest: string) => void): void {
  useEffect(() => {
    const open = (event: Event) => {
      if (event instanceof KeyboardEvent && event.key !== 'Enter' && event.key !== ' ') return;
      const mark = event.target instanceof Element ? event.target.closest('.figure [data-clip]') : null;
      const digest = mark?.getAttribute('data-clip');
      if (digest == null || digest === '') return;
      // the space bar would scroll the page
      event.preventDefault();
      onOpen(digest);
    };
    document.addEventListener('click', open);
    document.addEventListener('keydown', open);
    return () => {
      document.removeEventListener('click', open);
      document.removeEventListener('keydown', open);
    };
  }, [onOpen]);
}
