import { useCallback, useEffect, useRef, useState } from 'react';

import { leaveTo } from '../../../shared/lib/leave';
import { recall, remember } from '../../../shared/lib/storage';

/** Whoever needs longer must be able to say so by one simple action, with 20 seconds for it at least (WCAG 2.2.1). */
export const RETURN_AFTER_S = 20;

const keyOf = (sessionId: string) => `eyelevel.returned.${sessionId}`;

interface AutomaticReturn {
  /** Until the page is left; null where it is not left by itself. */
  secondsLeft: number | null;
  /** The person has been sent back before, from this browser. */
  returned: boolean;
  stop: () => void;
  /** Keeps that the person is leaving by themselves. */
  leave: () => void;
}

/** Leaves for the recruiter's website after a while, once per session: whoever comes back here wants to read on. */
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

  // a browser may show the page again as it was left, without loading it
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
