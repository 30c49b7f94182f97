import { Trans } from '@lingui/react/macro';

import { useOnline } from '../../../shared/lib/useOnline';
import type { OutboxState } from '../../../shared/outbox/outbox';

/** Note about answers that could not be sent yet; empty otherwise. */
export function OutboxNote({ state }: { state: OutboxState }) {
  const online = useOnline();
  return (
    <span className="outbox-note" role="status">
      {state.troubled && state.waiting.length > 0 && <Trouble fleeting={state.fleeting} online={online} />}
    </span>
  );
}

function Trouble({ fleeting, online }: { fleeting: boolean; online: boolean }) {
  if (fleeting && online) return <Trans>Your answers could not be sent yet. We keep trying; please keep this page open.</Trans>;
  if (fleeting) return <Trans>Your answers could not be sent yet. Please keep this page open until you are online again.</Trans>;
  if (online) return <Trans>Your answers are stored on this device. The server does not accept them right now; we keep trying.</Trans>;
  return <Trans>Your answers are stored on this device and will be sent as soon as you are online again.</Trans>;
}
