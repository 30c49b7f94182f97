import { useCallback, useEffect, useRef, useState } from 'react';

import { leaveTo } from '../../../shared/lib/leave';
import { recall, remember } from '../../../shared/lib/storage';

/** Users must be able to stop a time limit with a simple action, within at least 20 seconds (WCAG 2.2.1). */
export const RETURN_AFTER_S = 20;

const keyOf = (sessionId: string) => `eyelevel.returned.${sessionId}`;

interface AutomaticReturn {
  /** Seconds until the automatic return; null without one. */
  secondsLeft: number | null;
  /** The person has already returned from this browser. */
  returned: boolean;
  stop: () => void;
  /** Records that the person leaves without waiting. */
  leave: () => void;
}

/** Returns to the recruiter's website after RETURN_AFTER_S, once per session: a person who comes back wants to read. */
export function useAutomaticReturn(url: string | null, sessionId: string, preview: boolean): AutomaticReturn {
  const [returned, setReturned] = useState(() => recall(keyOf(sessionId)) !== null);
  const left = useRef(false);
  const [stopped, setStopped] = useState(false);
  const [secondsLeft, setSecondsLeft] = useState(RETURN_AFTER_S);
  const runs = url !== null && !returned && !stopped && !preview;
  const leave = useCallback(() => {
    left.current = true;
    remember(keyOf(sessionId), '1');
  }, [sessionId]);

  // the browser may restore the page from its back/forward cache
  useEffect(() => {
    const onShow = ({ persisted }: PageTransitionEvent) => { if (persisted && left.current) setReturned(true); };
    addEventListener('pageshow', onShow);
    return () => { removeEventListener('pageshow', onShow); };
  }, []);

  useEffect(() => {
    if (!runs) return;
    if (secondsLeft === 0) {
      leave();
      leaveTo(url);
      return;
    }
    const timer = setTimeout(() => { setSecondsLeft(secondsLeft - 1); }, 1000);
    return () => { clearTimeout(timer); };
  }, [runs, secondsLeft, url, leave]);

  return { secondsLeft: runs ? secondsLeft : null, returned, stop: () => { setStopped(true); }, leave };
}
