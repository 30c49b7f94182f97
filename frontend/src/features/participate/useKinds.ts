import { useQuery } from '@tanstack/react-query';

import type { Session } from '../../shared/api/session';
import { backoffMs } from '../../shared/lib/backoff';
import { loadKinds } from '../../trials/registry';

const TRIES = 3;

/** Fetches the code of every kind of trial that the session has, before its first page shows. */
export function useKinds(session: Session): { ready: boolean; error: Error | null } {
  const names = [...new Set(session.trials.map((trial) => trial.kind))].sort();
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
