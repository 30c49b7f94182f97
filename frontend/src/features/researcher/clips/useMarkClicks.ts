import { useEffect } from 'react';

import { type Opened, openedBy } from './opened';

const marks = '.figure [data-clip], .figure [data-condition]';

/** Calls `onOpen` with what a mark of a figure stands for, when the mark is clicked, or Enter or the space bar is pressed on it. */
export function useMarkClicks(onOpen: (opened: Opened) => void): void {
  useEffect(() => {
    const open = (event: Event) => {
      if (event instanceof KeyboardEvent && event.key !== 'Enter' && event.key !== ' ') return;
      const mark = event.target instanceof Element ? event.target.closest(marks) : null;
      const opened = mark === null ? null : openedBy(mark);
      if (opened === null) return;
      // the space bar would scroll the page
      event.preventDefault();
      onOpen(opened);
    };
    document.addEventListener('click', open);
    document.addEventListener('keydown', open);
    return () => {
      document.removeEventListener('click', open);
      document.removeEventListener('keydown', open);
    };
  }, [onOpen]);
}
