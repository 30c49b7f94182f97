import { Trans } from '@lingui/react/macro';

import type { OutboxState } from '../../shared/outbox/outbox';

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
