import { useQuery } from '@tanstack/react-query';

import { backoffMs } from '../../shared/lib/backoff';
import { loadKinds } from '../../trials/registry';

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
