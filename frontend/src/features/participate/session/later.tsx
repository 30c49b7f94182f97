import { lazy, Suspense } from 'react';

import type { Session } from '../../../shared/api/forms';
import { Wait } from '../../../shared/ui/page';
import { Shell } from '../frame/Shell';

// Code that is not needed before consent. It is loaded while people read, so that the first page is faster.
const loadSession = () => import('./SessionPage');
const SessionPage = lazy(loadSession);

/** Preloads the code of the pages after consent; an error is reported only when they are needed. */
export function prepareSession(): void {
  void loadSession().catch(() => undefined);
}

/** Completes pending work of an earlier page (see settle.ts); false if nothing changed. */
export async function settle(session: Session): Promise<boolean> {
  return (await import('./settle')).settle(session);
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
