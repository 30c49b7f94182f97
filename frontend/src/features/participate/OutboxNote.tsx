import { Trans } from '@lingui/react/macro';

import type { Outbox, OutboxState } from '../../shared/outbox/outbox';
import { useOutbox, useOutboxState } from './useOutbox';

/** Quiet while all is well. */
export function OutboxNote({ state }: { state: OutboxState }) {
  return (
    <span className="outbox-note" role="status">
      {state.troubled && state.waiting.length > 0 && state.fleeting && (
        <Trans>Your answers could not be sent yet. Please keep this page open until you are online again.</Trans>
      )}
      {state.troubled && state.waiting.length > 0 && !state.fleeting && (
        <Trans>Your answers are stored on this device and will be sent as soon as you are online again.</Trans>
      )}
    </span>
  );
}

/** Sends what an earlier page could not send any more. */
export function Leftovers({ sessionId }: { sessionId: string }) {
  const outbox = useOutbox(sessionId);
  return outbox === null ? null : <Sending outbox={outbox} />;
}

function Sending({ outbox }: { outbox: Outbox }) {
  return <OutboxNote state={useOutboxState(outbox)} />;
}
