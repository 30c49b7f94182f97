import { lazy, Suspense } from 'react';

import type { Session } from '../../shared/api/forms';
import { Wait } from '../../shared/ui/page';
import { Shell } from './Shell';

// What nobody needs before they have agreed: it comes while they read, so that the first page waits for less.
const loadSession = () => import('./SessionPage');
const SessionPage = lazy(loadSession);
const LazyLeftovers = lazy(() => import('./Leftovers'));

/** Fetches the code of the pages after consent; a failure shows once they are needed. */
export function prepareSession(): void {
  void loadSession().catch(() => undefined);
}

/** Sends what an earlier page left of this session on this device; false where nothing was left. */
export async function sendLeftovers(sessionId: string): Promise<boolean> {
  const outbox = await import('./useOutbox');
  return outbox.sendLeftovers(sessionId);
}

export function LaterSession({ session }: { session: Session }) {
  const wait = (
    <Shell study={session.study}>
      <Wait />
    </Shell>
  );
  return (
    <Suspense fallback={wait}>
      <SessionPage session={session} />
    </Suspense>
  );
}

export function Leftovers({ sessionId }: { sessionId: string }) {
  return (
    <Suspense>
      <LazyLeftovers sessionId={sessionId} />
    </Suspense>
  );
}
