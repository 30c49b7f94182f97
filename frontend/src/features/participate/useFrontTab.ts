import { useEffect, useRef, useState } from 'react';

/**
 * One tab at a time goes on with a session: the one that was opened last, or in which the person said so. `elsewhere`:
 * another tab goes on. Browsers without BroadcastChannel do not know of other tabs.
 */
export function useFrontTab(sessionId: string): { elsewhere: boolean; takeOver: () => void } {
  const [elsewhere, setElsewhere] = useState(false);
  const channel = useRef<BroadcastChannel | null>(null);
  useEffect(() => {
    if (typeof BroadcastChannel === 'undefined') return;
    const opened = new BroadcastChannel(`eyelevel.session.${sessionId}`);
    // whoever speaks goes on there
    opened.onmessage = () => { setElsewhere(true); };
    opened.postMessage('here');
    channel.current = opened;
    return () => {
      opened.close();
      channel.current = null;
    };
  }, [sessionId]);
  const takeOver = () => {
    channel.current?.postMessage('here');
    setElsewhere(false);
  };
  return { elsewhere, takeOver };
}
