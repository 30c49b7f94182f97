import { useEffect, useState, useSyncExternalStore } from 'react';

import { putControl, putPlay, putVote } from '../../shared/api/participant';
import type { Envelope } from '../../shared/outbox/envelope';
import { Outbox, type OutboxState } from '../../shared/outbox/outbox';
import { openStore } from '../../shared/outbox/store';
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

// the network is back, the person is, or the page came out of the browser's store of pages
const WAKING = ['online', 'visibilitychange', 'pageshow'] as const;

/** The outbox of a session, or null until what an earlier page left in it has been read. */
export function useOutbox(sessionId: string): Outbox | null {
  const [outbox, setOutbox] = useState<Outbox | null>(null);
  useEffect(() => {
    let current: Outbox | null = null;
    let gone = false;
    const wake = () => { void current?.refresh(); };
    void openStore()
      .then((store) => Outbox.open({ store, sessionId, send }))
      .then((opened) => {
        if (gone) {
          opened.stop();
          return;
        }
        current = opened;
        adoptLeftPlay(opened, sessionId);
        for (const event of WAKING) addEventListener(event, wake);
        setOutbox(opened);
      });
    return () => {
      gone = true;
      if (current === null) return;
      for (const event of WAKING) removeEventListener(event, wake);
      current.stop();
    };
  }, [sessionId]);
  return outbox;
}

export function useOutboxState(outbox: Outbox): OutboxState {
  return useSyncExternalStore(outbox.subscribe, outbox.getState);
}
