import { useQuery } from '@tanstack/react-query';

import { answer, api } from '../../../shared/api/client';
import { clipsKey } from '../keys';

/** All clips of a study, loaded once they are wanted. */
export function useClips(sha256: string, wanted: boolean) {
  return useQuery({
    queryKey: clipsKey(sha256),
    queryFn: () => answer(api.GET('/api/research/studies/{sha256}/clips', { params: { path: { sha256 } } })),
    enabled: wanted,
    // a study never changes
    staleTime: Infinity,
  });
}
