import { useEffect, useState, useSyncExternalStore } from 'react';

import { putControl, putPlay, putVote } from '../../../shared/api/participant';
import type { Envelope } from '../../../shared/outbox/envelope';
import { Outbox, type OutboxState } from '../../../shared/outbox/outbox';
import { openStore } from '../../../shared/outbox/store';
import { adoptLeftPlay } from './leftPlay';

function send(envelope: Envelope): Promise<{ received_at: string } | undefined> {
  switch (envelope.kind) {
    case 'vote':
      return putVote(envelope.id, envelope.session_id, envelope.body);
    case 'play':
      return putPlay(envelope.id, envelope.session_id, envelope.body);
    case 'control':
      return putControl(envelope.session_id, envelope.body);
  }
}

/** Opens the outbox of a session, including entries that an earlier page left on this device. */
async function openOutbox(sessionId: string): Promise<Outbox> {
  const outbox = await Outbox.open({ store: await openStore(), sessionId, send });
  await adoptLeftPlay(outbox, sessionId);
  return outbox;
}

/** Sends entries that an earlier page left on this device, until the server has them or a call fails. False if there were none. */
export async function sendLeftovers(sessionId: string): Promise<boolean> {
  const outbox = await openOutbox(sessionId);
  const isOver = () => {
    const { waiting, troubled, lost } = outbox.getState();
    return waiting.length === 0 || troubled || lost !== null;
  };
  const left = outbox.getState().waiting.length > 0;
  await new Promise<void>((resolve) => {
    const look = () => { if (isOver()) resolve(); };
    outbox.subscribe(look);
    look();
  });
  outbox.stop();
  return left;
}

// the network is back, the person is back, or the page was restored from the back/forward cache
const WAKING = ['online', 'visibilitychange', 'pageshow'] as const;

/** The outbox of a session; null until the entries of earlier pages have been read. */
export function useOutbox(sessionId: string): Outbox | null {
  const [outbox, setOutbox] = useState<Outbox | null>(null);
  useEffect(() => {
    let current: Outbox | null = null;
    let unmounted = false;
    const wake = () => { void current?.refresh(); };
    // sends a play that waits for its vote, because the page may not come back
    const leave = () => { current?.flush(); };
    void openOutbox(sessionId).then((opened) => {
      if (unmounted) {
        opened.stop();
        return;
      }
      current = opened;
      for (const event of WAKING) addEventListener(event, wake);
      addEventListener('pagehide', leave);
      setOutbox(opened);
    });
    return () => {
      unmounted = true;
      if (current === null) return;
      for (const event of WAKING) removeEventListener(event, wake);
      removeEventListener('pagehide', leave);
      current.stop();
    };
  }, [sessionId]);
  return outbox;
}

export function useOutboxState(outbox: Outbox): OutboxState {
  return useSyncExternalStore(outbox.subscribe, outbox.getState);
}
