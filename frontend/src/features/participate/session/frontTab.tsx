import { Trans } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';

import { Action, Notice } from '../../../shared/ui/page';

/**
 * Makes one tab at a time active for a session: the tab that was opened last, or that the person chose. `elsewhere`:
 * another tab is active. Browsers without BroadcastChannel do not detect other tabs.
 */
export function useFrontTab(sessionId: string): { elsewhere: boolean; takeOver: () => void } {
  const [elsewhere, setElsewhere] = useState(false);
  const channel = useRef<BroadcastChannel | null>(null);
  useEffect(() => {
    if (typeof BroadcastChannel === 'undefined') return;
    const opened = new BroadcastChannel(`eyelevel.session.${sessionId}`);
    // the tab that sends a message is the active one
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

/** Shown when another tab or browser continues this session. */
export function Elsewhere({ onGoOn }: { onGoOn: () => void }) {
  return (
    <Notice title={<Trans>You continued in another tab</Trans>}>
      <p>
        <Trans>This study is open in another tab, window or browser, and you continued there. All your answers are kept, and each video counts once.</Trans>
      </p>
      <p>
        <Trans>You can close this tab. Or continue here with the next video that you have not answered yet.</Trans>
      </p>
      <Action onClick={onGoOn}>
        <Trans>Continue here</Trans>
      </Action>
    </Notice>
  );
}
