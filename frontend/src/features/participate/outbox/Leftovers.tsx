import { useEffect, useEffectEvent } from 'react';

import type { Outbox } from '../../../shared/outbox/outbox';
import { OutboxNote } from './OutboxNote';
import { useOutbox, useOutboxState } from './useOutbox';

export interface LeftoversProps {
  sessionId: string;
  /** Called when all unsent entries have been sent. */
  onSent?: (() => void) | undefined;
}

/** Sends entries that an earlier page could not send. */
export default function Leftovers({ sessionId, onSent }: LeftoversProps) {
  const outbox = useOutbox(sessionId);
  return outbox === null ? null : <Sending outbox={outbox} onSent={onSent} />;
}

function Sending({ outbox, onSent }: { outbox: Outbox; onSent: LeftoversProps['onSent'] }) {
  const state = useOutboxState(outbox);
  const waits = state.waiting.length > 0;
  const tell = useEffectEvent(() => onSent?.());
  useEffect(() => {
    if (!waits) return undefined;
    return () => { if (outbox.getState().waiting.length === 0) tell(); };
  }, [waits, outbox]);
  return <OutboxNote state={state} />;
}
