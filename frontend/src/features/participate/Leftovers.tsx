import type { Outbox } from '../../shared/outbox/outbox';
import { OutboxNote } from './OutboxNote';
import { useOutbox, useOutboxState } from './useOutbox';

/** Sends what an earlier page could not send any more. */
export default function Leftovers({ sessionId }: { sessionId: string }) {
  const outbox = useOutbox(sessionId);
  return outbox === null ? null : <Sending outbox={outbox} />;
}

function Sending({ outbox }: { outbox: Outbox }) {
  return <OutboxNote state={useOutboxState(outbox)} />;
}
