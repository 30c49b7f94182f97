import { useQuery } from '@tanstack/react-query';

import type { Session } from '../../shared/api/forms';
import { backoffMs } from '../../shared/lib/backoff';
import { Wait } from '../../shared/ui/page';
import { loadKinds } from '../../trials/registry';
import { LoadFault } from './notices';
import { SessionFlow } from './SessionFlow';
import { Shell } from './Shell';
import { useOutbox } from './useOutbox';

export function SessionPage({ session }: { session: Session }) {
  const outbox = useOutbox(session.id);
  const kinds = useKinds(session.trials);
  if (kinds.error !== null) {
    return (
      <Shell study={session.study}>
        {/* some browsers remember a script that failed until the page is loaded again */}
        <LoadFault error={kinds.error} onRetry={() => { location.reload(); }} />
      </Shell>
    );
  }
  if (outbox === null || !kinds.ready) {
    return (
      <Shell study={session.study}>
        <Wait />
      </Shell>
    );
  }
  return <SessionFlow session={session} outbox={outbox} />;
}

const TRIES = 3;

/** Fetches the code of these kinds of trial. */
export function useKinds(of: readonly { kind: string }[]): { ready: boolean; error: Error | null } {
  const names = [...new Set(of.map(({ kind }) => kind))].sort();
  const query = useQuery({
    queryKey: ['kinds', ...names],
    queryFn: async () => {
      await loadKinds(names);
      return true;
    },
    retry: TRIES - 1,
    retryDelay: (failures) => backoffMs(failures + 1, Math.random()),
  });
  return { ready: query.isSuccess, error: query.error };
}
