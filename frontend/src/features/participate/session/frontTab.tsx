import { Trans } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';

import { Action, Notice } from '../../../shared/ui/page';

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

/** Another tab or browser goes on with this session. */
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
