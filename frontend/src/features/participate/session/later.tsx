import { lazy, Suspense } from 'react';

import type { Session } from '../../../shared/api/forms';
import { Wait } from '../../../shared/ui/page';
import { Shell } from '../frame/Shell';

// What nobody needs before they have agreed: it comes while they read, so that the first page waits for less.
const loadSession = () => import('./SessionPage');
const SessionPage = lazy(loadSession);

/** Fetches the code of the pages after consent; a failure shows once they are needed. */
export function prepareSession(): void {
  void loadSession().catch(() => undefined);
}

/** Ends what an earlier page was in the middle of; false where nothing changed. */
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
